# Targets. CMake does the builds; CMakePresets.json defines them.
# Each target first runs scripts/setup.sh, which names what is missing. `make setup`, `make demo` and `make test` install it;
# with NO_INSTALL=1 they name it, like the others.
# JOBS=N compiles N files at a time; PRESETS='release asan' tests only those presets, TESTS=mixer,skin only those unit tests.
# scripts/targets.sh runs each target in a short form.

.PHONY: demo setup check test soak sweep fuzz fuzz-web coverage tidy format mutants models plots docs amalgamate interface package web studio bench bench-compare bench-optimize bench-web windows clean help

WEB = build/web
IMAGES = docs/images

demo: ## draw a picture and an animation of the hero, in build/demo (the default target)
	@scripts/setup.sh --install demo
	@scripts/build.sh release sinew-command
	@scripts/demo.sh build/release/sinew build/demo $(PIXELS)

setup: ## install what demo and test need, or FOR='web tidy' what other targets need
	@scripts/setup.sh --install $(or $(FOR),demo test)

check: ## the quick tests, by gcc: run it before each commit (a minute)
	@scripts/setup.sh check
	@scripts/test.sh check

test: ## the tests by gcc, those that pin bits by clang, and with sanitizers; what CI runs (12 minutes on two cores)
	@scripts/setup.sh --install test
	@scripts/test.sh

soak: ## all tests in all builds, then random calls and scenes (45 minutes; SEQUENCES=100000 FIRST=0)
	@scripts/setup.sh soak
	@scripts/test.sh $(or $(PRESETS),release-all clang-all asan-all)
	@build/release/tests/unit/test_scene $(or $(SEQUENCES),100000) $(or $(FIRST),0)
	@build/release/tests/continuity/test_seams $(or $(SEQUENCES),100000) $(or $(FIRST),0)

sweep: ## load every test file with systematic damage, with sanitizers (an hour; SHARE=0.1 SEED=7 for a part)
	@scripts/setup.sh sweep
	@scripts/build.sh $(or $(PRESET),sweep) sweep
	@build/$(or $(PRESET),sweep)/tests/fuzz/sweep --share $(or $(SHARE),1) --seed $(or $(SEED),1)

fuzz: ## run libFuzzer on the importers, the code after them, graphs, written states and recordings, MINUTES=30 for each of eleven targets
	@scripts/setup.sh fuzz
	@scripts/build.sh fuzz fuzz-glb fuzz-json fuzz-pipeline fuzz-graph fuzz-condition fuzz-bvh fuzz-vrm fuzz-humanoid fuzz-baked fuzz-state fuzz-recording make-seeds
	@scripts/fuzz.sh build/fuzz

fuzz-web: ## run the WebAssembly modules on damaged files, for MINUTES=10 (SEED=7)
	@scripts/setup.sh fuzz-web
	@scripts/web.sh $(WEB)
	@node tests/fuzz/web.mjs $(WEB)/package $(or $(MINUTES),10) $(or $(SEED),7) models $(SINEW_ASSETS)

coverage: ## measure the lines of src that the tests run; fails below LEAST=85 %
	@scripts/setup.sh coverage
	@mkdir -p build && find build -name '*.gcda' -exec rm {} + # the counts of runs before
	@scripts/test.sh coverage
	@gcovr --root . --filter src/ --object-directory build/coverage --fail-under-line $(or $(LEAST),85) build/coverage

tidy: ## run clang-tidy on what changed since SINCE=origin/main, or on ALL=1; check the format, and JavaScript by ESLint (20 minutes)
	@scripts/setup.sh tidy
	@scripts/build.sh release test_structure_float_rules # which only configures
	@scripts/tidy.sh build/release

format: ## format all C files by clang-format, or FILES='a.c b.h'
	@scripts/setup.sh format
	@$(if $(FILES),echo $(FILES),scripts/c_files.sh) | xargs clang-format -i

mutants: ## check that the tests detect each of the known faults (an hour; NAMES='a b' for some, CHECK_ONLY=1 builds nothing)
	@scripts/setup.sh mutants
	@tests/mutants/run.sh $(NAMES)

models: ## generate models/*.glb, models/sprite.vrm and models/conformance/
	@scripts/setup.sh models
	@scripts/build.sh release make-models make-conformance
	@build/release/models/make-models models
	@scripts/conformance.sh build/release/models/make-conformance

plots: ## draw the plots of docs/mixing.md and docs/howto/ik.md, and the slope, gaze, body, graph and retargeting pictures, in IMAGES=docs/images
	@scripts/setup.sh plots
	@scripts/build.sh release make-plots make-slope make-gaze make-body sinew-command
	@mkdir -p $(IMAGES)/mixing
	@build/release/tools/plots/make-plots models/hero.glb $(IMAGES)/mixing
	@build/release/tools/plots/make-slope models/hero.glb $(IMAGES)/slope.webp
	@build/release/tools/plots/make-gaze models/hero.glb $(IMAGES)/gaze.webp
	@build/release/tools/plots/make-body models/hero.glb $(IMAGES)/body.webp
	@build/release/sinew graph plot models/hero.graph.json -o $(IMAGES)/graph.svg
	@build/release/sinew --quiet render models/hero.glb --clip Walk --turn-legs 60 --sheet 6x1 --no-labels --from 12:10 \
		--size 150x210 --frames 6 -o $(IMAGES)/strafe.png
	@build/release/sinew --quiet retarget models/hero.glb --onto models/golem.glb -o build/golem.glb >build/golem.txt
	@build/release/sinew --quiet retarget models/hero.glb --onto models/scout.glb -o build/scout.glb >build/scout.txt
	@build/release/sinew --quiet retarget models/hero.glb --onto models/sprite.vrm -o build/sprite.glb >build/sprite.txt
	@build/release/sinew --quiet retarget models/hero.glb --onto models/golem.glb --source-pose Jump@0.35 -o build/leaning-golem.glb \
		>build/golem.txt
	@build/release/sinew --quiet render models/hero.glb --clip Walk --with build/golem.glb@1.7,0,-0.7:0:Walk \
		--with build/scout.glb@-1.2,0,-0.3:0:Walk --with build/sprite.glb@-2.2,0,0.3:0:Walk --size 640x330 --from 8:8 \
		-o $(IMAGES)/retarget.webp
	@build/release/sinew --quiet render models/hero.glb --clip Idle --with build/golem.glb@1.7,0,0:0:Idle \
		--with build/leaning-golem.glb@3.6,0,0:0:Idle --size 640x300 --from 25:8 -o $(IMAGES)/retarget-reference.png

docs: ## build the reference of all functions, in build/docs/html/index.html
	@scripts/setup.sh docs
	@mkdir -p build
	@doxygen docs/Doxyfile
	@echo "build/docs/html/index.html"

amalgamate: ## write the library as two files, the core and all of it: build/amalgamated/
	@scripts/setup.sh amalgamate
	@scripts/amalgamate.py build/amalgamated
	@echo "build/amalgamated/sinew.h and sinew.c, sinew_all.h and sinew_all.c"

interface: ## write the interface as JSON, for language bindings: build/sinew-interface.json
	@scripts/setup.sh interface
	@mkdir -p build
	@scripts/interface.py build/sinew-interface.json
	@echo "build/sinew-interface.json"

package: ## build Debian packages of the libraries and the command, in build/packages
	@scripts/setup.sh package
	@scripts/build.sh release
	@cpack -G DEB --config build/release/CPackConfig.cmake -B build/packages
	@rm -rf build/packages/_CPack_Packages

web: ## build the npm package sinew-animation, with its WebAssembly modules: WEB=build/web has package/
	@scripts/setup.sh web
	@scripts/web.sh $(WEB)
	@echo "$(WEB)/package"

studio: ## serve the page that inspects glTF files, on this machine: prints the address (PORT=8080)
	@scripts/setup.sh studio
	@scripts/web.sh $(WEB)
	@scripts/studio.sh $(WEB)
	@scripts/serve.py $(WEB)/studio $(or $(PORT),8080)

bench: ## measure each stage on this machine: build/bench.txt and build/bench.json (a minute; FILTER=springs for some rows)
	@scripts/setup.sh bench
	@scripts/build.sh release sinew-command
	@build/release/sinew bench $(if $(FILTER),--filter $(FILTER)) -o build/bench.json >build/bench.txt
	@cat build/bench.txt

bench-compare: ## compare poses and speed with three.js's AnimationMixer, and VRM avatars and retargeting with three-vrm
	@scripts/setup.sh bench-compare
	@scripts/build.sh release sinew-command bench-blended-pose bench-vrm-pose bench-spring-pose
	@tools/bench/compare/vrm.sh build/release/tools/bench/bench-vrm-pose build/compare-vrm || [ $$? = 77 ]
	@tools/bench/compare/springs.sh build/release/tools/bench/bench-spring-pose build/compare-vrm models/sprite.vrm || [ $$? = 77 ]
	@tools/bench/compare/retarget.sh build/release/sinew build/compare-retarget || [ $$? = 77 ]
	@tools/bench/compare/compare.sh build/release/sinew build/release/tools/bench/bench-blended-pose models/hero.glb \
		build/compare || [ $$? = 77 ]

bench-optimize: ## compare sinew optimize with gltfpack and gltf-transform: bytes and millimetres (some minutes)
	@scripts/setup.sh bench-optimize
	@scripts/build.sh release sinew-command
	@tools/bench/compare/small.sh build/release/sinew build/compare-small $(or $(FILES),models/hero.glb) || [ $$? = 77 ]

bench-web: ## compare the npm package with three.js's AnimationMixer, in Node and Chromium: HEROES=1000 (some minutes)
	@scripts/setup.sh bench-web
	@scripts/web.sh $(WEB)
	@tools/bench/compare/web.sh $(WEB)/package models/hero.glb build/compare-web || [ $$? = 77 ]

windows: ## build the libraries and the command for Windows, in build/windows, and run their tests under wine (QUICK=1 for a part)
	@scripts/setup.sh windows
	@scripts/windows.sh

clean: ## remove the build folder
	rm -rf build

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "One room of the tests:  ctest --test-dir build/release -L structure    (-LE leaves out; tests/labels.cmake has the labels)"
