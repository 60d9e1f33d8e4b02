# Targets. CMake does the work (CMakePresets.json has the builds).
# Each word first has scripts/setup.sh install what it needs and this machine lacks; NO_INSTALL=1 only says what.
# JOBS=N compiles N files at a time; PRESETS='release asan' tests only those.

.PHONY: demo check test soak sweep fuzz fuzz-web coverage tidy format mutants models plots docs amalgamate interface package web studio bench bench-compare bench-web windows clean help

demo: ## a picture and an animation of the hero, in build/demo (what `make` alone does)
	@scripts/setup.sh demo
	@scripts/build.sh release sinew-command
	@scripts/demo.sh build/release/sinew build/demo

check: ## the quick tests, by gcc: run it before each commit (under two minutes)
	@scripts/setup.sh check
	@scripts/test.sh check

test: ## the tests by gcc, those that pin bits by clang, and with sanitizers; what CI runs (12 minutes on two cores)
	@scripts/setup.sh test
	@scripts/test.sh

soak: ## all tests in all builds, then random transitions and scenes (45 minutes; SEQUENCES=100000 FIRST=0)
	@scripts/setup.sh soak
	@scripts/test.sh release-all clang-all asan-all
	@build/release/tests/unit/test_scene $(or $(SEQUENCES),100000) $(or $(FIRST),0)
	@build/release/tests/unit/test_soak $(or $(SEQUENCES),100000) $(or $(FIRST),0)

sweep: ## every test file damaged in every way, with sanitizers (an hour; SHARE=0.1 SEED=7 for a part)
	@scripts/setup.sh sweep
	@scripts/build.sh sweep sweep
	@build/sweep/tests/fuzz/sweep --share $(or $(SHARE),1) --seed $(or $(SEED),1)

fuzz: ## libFuzzer on the importer and all behind it, MINUTES=30 for each of three targets
	@scripts/setup.sh fuzz
	@scripts/build.sh fuzz fuzz-glb fuzz-json fuzz-pipeline make-seeds
	@scripts/fuzz.sh build/fuzz

fuzz-web: ## the WebAssembly modules with damaged files, for MINUTES=10 (SEED=7)
	@scripts/setup.sh fuzz-web
	@scripts/web.sh build/web
	@node tests/fuzz/web.mjs build/web/package $(or $(MINUTES),10) $(or $(SEED),7) models $(SINEW_ASSETS)

coverage: ## which lines of src the tests run; fails below 85 %
	@scripts/setup.sh coverage
	@mkdir -p build && find build -name '*.gcda' -exec rm {} + # the counts of runs before
	@scripts/test.sh coverage
	@gcovr --root . --filter src/ --object-directory build/coverage --fail-under-line 85 build/coverage

tidy: ## clang-tidy and clang-format; both only look
	@scripts/setup.sh tidy
	@scripts/build.sh release
	@scripts/tidy.sh build/release
	@scripts/c_files.sh | xargs clang-format --dry-run -Werror

format: ## put all C files in clang-format's form
	@scripts/setup.sh format
	@scripts/c_files.sh | xargs clang-format -i

mutants: ## plant one fault after the other, and see that the tests find each
	@scripts/setup.sh mutants
	@tests/mutants/run.sh

models: ## make models/*.glb and models/conformance/ anew
	@scripts/setup.sh models
	@scripts/build.sh release make-models make-conformance
	@build/release/models/make-models models
	@scripts/conformance.sh build/release/models/make-conformance

plots: ## make the plots of docs/mixing.md and docs/howto/ik.md anew, and the pictures of the slope and the gaze, in docs/images/
	@scripts/setup.sh plots
	@scripts/build.sh release make-plots make-slope make-gaze
	@mkdir -p docs/images/mixing
	@build/release/tools/plots/make-plots models/hero.glb docs/images/mixing
	@build/release/tools/plots/make-slope models/hero.glb docs/images/slope.webp
	@build/release/tools/plots/make-gaze models/hero.glb docs/images/gaze.webp

docs: ## the reference of all functions, in build/docs/html/index.html
	@scripts/setup.sh docs
	@mkdir -p build
	@doxygen docs/Doxyfile
	@echo "build/docs/html/index.html"

amalgamate: ## the core library as two files: build/amalgamated/sinew.h and sinew.c
	@scripts/setup.sh amalgamate
	@scripts/amalgamate.py build/amalgamated
	@echo "build/amalgamated/sinew.h, build/amalgamated/sinew.c"

interface: ## the interface as JSON, for makers of bindings: build/sinew-interface.json
	@scripts/setup.sh interface
	@mkdir -p build
	@scripts/interface.py build/sinew-interface.json
	@echo "build/sinew-interface.json"

package: ## Debian packages of the libraries and the command, in build/packages
	@scripts/setup.sh package
	@scripts/build.sh release
	@cpack -G DEB --config build/release/CPackConfig.cmake -B build/packages
	@rm -rf build/packages/_CPack_Packages

web: ## the npm package sinew-animation, with its WebAssembly modules: build/web/package
	@scripts/setup.sh web
	@scripts/web.sh build/web
	@echo "build/web/package"

studio: ## the page that looks into glTF files, on this machine: prints the address (PORT=8080)
	@scripts/setup.sh studio
	@scripts/web.sh build/web
	@scripts/studio.sh build/web
	@scripts/serve.py build/web/studio $(or $(PORT),8080)

bench: ## how fast each stage is on this machine: build/bench.txt and build/bench.json (a minute)
	@scripts/setup.sh bench
	@scripts/build.sh release sinew-command
	@build/release/sinew bench -o build/bench.json >build/bench.txt
	@cat build/bench.txt

bench-compare: ## the same poses as three.js's AnimationMixer, and how much sooner
	@scripts/setup.sh bench-compare
	@scripts/build.sh release sinew-command bench-blended-pose
	@tools/bench/compare/compare.sh build/release/sinew build/release/tools/bench/bench-blended-pose models/hero.glb \
		build/compare || [ $$? = 77 ]

bench-web: ## the package against three.js's AnimationMixer, in Node and in Chromium: 1,000 heroes (some minutes)
	@scripts/setup.sh bench-web
	@scripts/web.sh build/web
	@tools/bench/compare/web.sh build/web/package models/hero.glb build/compare-web || [ $$? = 77 ]

windows: ## the libraries for Windows, in build/windows, and their tests under wine
	@scripts/setup.sh windows
	@scripts/windows.sh

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "One room of the tests:  ctest --test-dir build/release -L structure    (-LE leaves out; tests/labels.cmake has the labels)"
