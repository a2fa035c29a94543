# What people type. The work itself is done by CMake presets and the scripts in tools/.

.DEFAULT_GOAL := help
.PHONY: help build run test bench bench-full examples fuzz soak coverage site package format lint clean

FUZZ_SECONDS ?= 5
SOAK_SECONDS ?= 600

help:  ## show this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 18

build:  ## the program and the libraries, optimised: build/release/
	tools/install-deps build
	cmake --preset release
	cmake --build --preset release

run: build  ## build, then serve on this machine; configuration and store are in build/run/
	mkdir -p build/run
	cd build/run && ../release/bin/tessera serve --init

test:  ## everything a change must pass: all presets, fuzzing, lint; about half an hour on two cores
	tools/install-deps build test lint bench docs
	FUZZ_SECONDS=$(FUZZ_SECONDS) tools/test

bench:  ## beside the real peers, in five to ten minutes: bench/runs/<date>/report.html
	tools/install-deps build test bench
	cmake --preset bench
	cmake --build --preset bench
	tools/run_bench --quick

bench-full:  ## the same at full length and size: an hour or two
	tools/install-deps build test bench
	cmake --preset bench
	cmake --build --preset bench
	tools/run_bench --full

examples:  ## the clients in Go, Rust and Java, compiled and run against the service
	tools/install-deps build examples
	cmake --preset release
	cmake --build --preset release --target tessera
	examples/clients/clients_test.py build/release/bin/tessera go rust java

fuzz:  ## fuzz until stopped, one target after the other
	tools/install-deps build test
	cmake --preset fuzz
	cmake --build --preset fuzz
	tools/run_fuzz --forever

soak:  ## the endurance tests, SOAK_SECONDS each (600)
	tools/install-deps build test bench
	cmake --preset bench
	cmake --build --preset bench
	TESSERA_SOAK_SECONDS=$(SOAK_SECONDS) ctest --preset soak

coverage:  ## which lines the tests reach: build/coverage/report/index.html
	tools/install-deps build test bench coverage
	cmake --preset coverage
	cmake --build --preset coverage
	ctest --preset coverage
	mkdir -p build/coverage/report
	gcovr --root . --filter include/ --filter src/ --exclude '.*_(test|soak|bench)\.cpp' \
	  --exclude-throw-branches --html-details build/coverage/report/index.html --print-summary build/coverage

site:  ## the documents as a web site with search: build/site/
	tools/install-deps docs
	tools/site
	@echo 'to read it: python3 -m http.server --bind 127.0.0.1 --directory build/site 8000'

package:  ## .deb files, single header and SBOM in build/package/packages/, tried in a minimal Debian, built twice
	tools/install-deps build package
	tools/package

format:  ## lay out all C++ files with clang-format
	tools/install-deps lint
	tools/lint --fix

lint:  ## clang-format and clang-tidy, without changing anything
	tools/install-deps build test bench lint
	cmake --preset dev
	tools/lint

clean:  ## remove everything that was built
	rm -rf build
