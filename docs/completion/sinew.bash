# Completion of the sinew command for bash. Commands, options, clips and nodes come from the command itself.
# Source this file, or install it as share/bash-completion/completions/sinew.

# The commands: the first words of the lines of `sinew help` that are indented by two spaces.
_sinew_commands() {
    "$1" help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
}

_sinew_graph_commands() {
    "$1" help graph 2>/dev/null | sed -n '/^$/,$ { /^usage/q; s/^  \([a-z][a-z]*\) .*/\1/p }'
}

_sinew_options() {
    "$1" help "$2" 2>/dev/null | grep -oE '^  --?[a-z-]+' | sed 's/^ *//'
    printf '%s\n' --help --quiet --unit --file-up
}

# The names of clips and nodes in a file, from `sinew info`.
_sinew_clips() {
    "$1" info "$2" 2>/dev/null | sed -n "s/^  #[0-9]* '\(.*\)': [0-9.]* s, .*/\1/p"
}

_sinew_nodes() {
    "$1" info "$2" 2>/dev/null | sed -n '/^[0-9]* nodes*$/,/^[0-9]* skins*$/s/^ *\(.*\)  #[0-9].*/\1/p'
}

# Adds each proposal, one per line, that starts with the current word; names may have spaces.
_sinew_propose() {
    local line
    while IFS= read -r line; do
        [[ $line == "$current"* ]] && COMPREPLY+=("$(printf %q "$line")")
    done
}

# Folders, and the files whose names match an extended regular expression.
_sinew_files() {
    local file
    while IFS= read -r file; do
        if [[ -d $file ]]; then
            COMPREPLY+=("$file/")
            compopt -o nospace 2>/dev/null # a path continues
        elif [[ $file =~ $1 ]]; then
            COMPREPLY+=("$file")
        fi
    done < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
}

_sinew() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} sinew=${COMP_WORDS[0]}
    local command= file= i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -*) ;;
        *.glb | *.gltf | *.bvh | *.sinew) [[ -n $file ]] || file=${COMP_WORDS[i]} ;;
        *) [[ -n $command ]] || command=${COMP_WORDS[i]} ;;
        esac
    done
    if [[ -z $command || ($command == help && $COMP_CWORD -gt 1) ]]; then
        _sinew_propose < <(_sinew_commands "$sinew"; [[ -n $command ]] || printf '%s\n' help --help --quiet --version)
        return
    fi
    case $before in
    --clip | --crossfade) _sinew_propose < <(_sinew_clips "$sinew" "$file") ;;
    --trail | --focus | --root-motion | --foot | --springs | --collider) _sinew_propose < <(_sinew_nodes "$sinew" "$file") ;;
    --motion) _sinew_files '\.(glb|gltf|vrm|vrma|bvh)$' ;;
    --bind | --onto) _sinew_files '\.(glb|gltf|bvh)$' ;;
    --asset | --attach | --with) _sinew_files '\.(glb|gltf)$' ;;
    -o | --output) _sinew_files '\.(png|webp|svg|rec|glb|gltf|vrma|bvh|sinew)$' ;;
    --depfile) _sinew_files '\.d$' ;;
    --compare | --recording) _sinew_files '\.rec$' ;;
    --graph | --use | --map | --source-map | --target-map) _sinew_files '\.json$' ;;
    --fix) _sinew_files '\.glb$' ;;
    --obj) _sinew_files '\.obj$' ;;
    --background) _sinew_propose <<<none ;;
    --up | --file-up) _sinew_propose <<<$'y\nz' ;;
    --split) _sinew_propose <<<$'pauses\nmarkers' ;;
    --unit) _sinew_propose <<<$'m\ncm\nmm\nin' ;;
    --time | --tolerance | --walks | --seconds | --seed | --degrees | --frames | --fps | --size | --onion | --wind | --from | --crowd | --poses | --budget | --camera | --filter | --set | --range | --smooth | --as | --min-match | --rate | --scale | --source-pose | --target-pose | --chain | --jobs) ;;
    *)
        if [[ $current == -* ]]; then
            _sinew_propose < <(_sinew_options "$sinew" "$command")
        else
            [[ $command == graph && $before == graph ]] && _sinew_propose < <(_sinew_graph_commands "$sinew")
            _sinew_files '\.(glb|gltf|bvh|sinew|rec|json)$'
        fi
        ;;
    esac
}

complete -F _sinew sinew
