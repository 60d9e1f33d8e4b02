function(label_tests room)
endfunction()
