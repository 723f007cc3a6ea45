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
        .unsafeFlags(["-Osize"], .when(configuration: .release)),
      ],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"] + linking)]
    )
  ],
  swiftLanguageModes: [.v6]
)
