// swift-tools-version: 6.2
import PackageDescription

// The contract is a package of its own so that host and plugins share one copy of its types: inside
// one package SwiftPM would link it statically into every product (Documentation/Decisions/0001).

/// Of the library: its name in the ELF header, packed relocations, equal functions as one (Decisions/0060), and no tables
/// for C++ exceptions (Decisions/0102).
let linking = [
  "-soname", "libPluginAPI.so", "-z", "pack-relative-relocs", "--icf=all", "--no-eh-frame-hdr", "-T",
  "\(Context.packageDirectory)/../no-unwind-tables.lds",
].flatMap { ["-Xlinker", $0] }

let package = Package(
  name: "PluginAPI",
  products: [
    .library(name: "PluginAPI", type: .dynamic, targets: ["PluginAPI", "PluginStamp"])
  ],
  targets: [
    .target(name: "PluginStamp", path: "Stamp"),
    .target(
      name: "PluginAPI",
      dependencies: ["PluginStamp"],
      path: "Contract",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(["-enable-library-evolution"]),
        // Regular expressions would come into every process: a seventh of the time `version` takes (Decisions/0009).
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
        // One object, in which equal functions can be joined by the linker (Decisions/0060, 0102).
        .unsafeFlags(
          ["-Xfrontend", "-enable-single-module-llvm-emission", "-Xfrontend", "-function-sections"],
          .when(configuration: .release)),
      ],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"] + linking)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
