# What people type. The work itself is done by CMake presets and the scripts in tools/.

.DEFAULT_GOAL := help
.PHONY: help build run test bench fuzz soak coverage format lint clean

FUZZ_SECONDS ?= 5
SOAK_SECONDS ?= 600

help:  ## show this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 18

build:  ## the program and the libraries, optimised: build/release/
	tools/install-deps build
	cmake --preset release
	cmake --build --preset release

run: build  ## build, then serve on this machine; configuration and store are in build/run/
	mkdir -p build/run
	cd build/run && ../release/bin/tessera serve --init

test:  ## everything a change must pass: all presets, fuzzing, lint; about half an hour on two cores
	tools/install-deps build test lint bench
	FUZZ_SECONDS=$(FUZZ_SECONDS) tools/test

bench:  ## all benchmarks at full length; results in build/bench/
	tools/install-deps build test bench
	cmake --preset bench
	cmake --build --preset bench
	tools/run_bench

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

format:  ## lay out all C++ files with clang-format
	tools/install-deps lint
	tools/lint --fix

lint:  ## clang-format and clang-tidy, without changing anything
	tools/install-deps build test bench lint
	cmake --preset dev
	tools/lint

clean:  ## remove everything that was built
	rm -rf build
