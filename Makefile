# A thin front to CMake. `make help` lists what there is.

CORE_PACKAGES := g++ cmake ninja-build libicu-dev libsqlite3-dev libsimdjson-dev \
	nlohmann-json3-dev libcli11-dev libfmt-dev libxxhash-dev libdnnl-dev
TEST_PACKAGES := libtorch-dev libgtest-dev libbenchmark-dev clang-format clang-tidy sqlite3

.PHONY: all help setup-core setup demo test bench format lint clean

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

test: setup ## build everything, warnings being errors, and run all tests
	cmake --preset test
	cmake --build --preset test
	ctest --preset test

bench: setup ## build and run the benchmarks
	cmake --preset bench
	cmake --build --preset bench
	bench/run build/bench

format: setup ## put the code into the project's format
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

lint: setup ## check format and look for mistakes
	git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
	cmake --preset test >/dev/null
	git ls-files 'src/*.cpp' | xargs -P 2 -n 4 clang-tidy --quiet -p build/test

clean: ## remove everything that was built
	rm -rf build
