// swift-tools-version: 6.2
import PackageDescription

// The contract is a package of its own so that host and plugins share one copy of its types: inside
// one package SwiftPM would link it statically into every product (Documentation/Decisions/0001).
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
      ],
      linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libPluginAPI.so"])]
    ),
  ],
  swiftLanguageModes: [.v6]
)
