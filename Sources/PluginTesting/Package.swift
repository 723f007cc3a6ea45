// swift-tools-version: 6.2
import PackageDescription

/// Of the library: its name in the ELF header, packed relocations, equal functions as one (Decisions/0060), and no tables
/// for C++ exceptions (Decisions/0102).
let linking = [
  "-soname", "libPluginTesting.so", "-z", "pack-relative-relocs", "--icf=all", "--no-eh-frame-hdr", "-T",
  "\(Context.packageDirectory)/../no-unwind-tables.lds",
].flatMap { ["-Xlinker", $0] }

let package = Package(
  name: "PluginTesting",
  products: [.library(name: "PluginTesting", type: .dynamic, targets: ["PluginTesting"])],
  dependencies: [.package(path: "../PluginAPI")],
  targets: [
    .target(
      name: "PluginTesting",
      dependencies: [.product(name: "PluginAPI", package: "PluginAPI")],
      path: "PluginTesting",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(["-enable-library-evolution"]),
        // For size, as one object, in which equal functions can be joined by the linker (Decisions/0060, 0102).
        .unsafeFlags(
          [
            "-Osize", "-Xllvm", "-enable-machine-outliner=always", "-Xllvm", "-enable-linkonceodr-outlining",
            "-Xfrontend", "-enable-single-module-llvm-emission", "-Xfrontend", "-function-sections",
          ], .when(configuration: .release)),
      ],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"] + linking)]
    )
  ],
  swiftLanguageModes: [.v6]
)
