# What a person types. Every target sets up what it needs.
PREFIX ?= /usr/local

.PHONY: help setup build run test check bench campaign install uninstall deb tarball wheel docs clean

help: ## shows this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## installs the Debian packages that are missing
	@Scripts/setup

build: setup ## builds .build/release/workbench with the plugins beside it
	@Scripts/build

run: setup ## sets up, builds what the molecules screen needs, and runs it (a frame as text where there is no terminal)
	@Scripts/build --only Molecules
	@.build/release/workbench run molecules

test: ## sets up, with the servers that tests start, builds and passes all tests
	@Scripts/setup --tests $(if $(filter true,$(CI)),snakemake cwltool)
	@Scripts/build --tests
	@Scripts/test

check: setup ## format, folder edges, concepts declared once, wording, imports, documents
	@Scripts/check

bench: build ## speed and memory against the peers, one JSON line per measurement
	@Scripts/bench

campaign: build ## the long proofs: fuzzing and kills by the thousand
	@Scripts/campaign

install: build ## installs into PREFIX (/usr/local), below DESTDIR if that is set
	@DESTDIR="$(DESTDIR)" Scripts/install "$(PREFIX)"

uninstall: ## removes from PREFIX what install wrote
	@DESTDIR="$(DESTDIR)" Scripts/install --remove "$(PREFIX)"

deb: build ## Debian packages of program and SDK, in .build/packages
	@Scripts/setup dpkg-dev
	@Scripts/package deb

tarball: build ## a tree that runs from any folder, in .build/packages
	@Scripts/package tarball

wheel: ## the client for Python, in .build/packages
	@Scripts/make-wheel

docs: ## writes the pages that are generated
	@Scripts/check-documents --write

clean: ## removes what was built
	@rm -rf .build Sources/*/.build Examples/*/.build Benchmarks/.build Scripts/Starters/.build
