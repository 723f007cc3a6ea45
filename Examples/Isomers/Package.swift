// swift-tools-version: 6.2
import PackageDescription

// A plugin that calls other plugins depends on none of them: their commands are called by name.
let workbench = "../../Sources"

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Isomers",
  products: [
    .library(name: "Isomers", type: .dynamic, targets: ["Isomers"])
  ],
  dependencies: [
    .package(path: "\(workbench)/PluginAPI"),
    .package(path: "\(workbench)/PluginTesting"),
  ],
  targets: [
    .target(name: "IsomersStamp", dependencies: [.product(name: "PluginAPI", package: "PluginAPI")]),
    .target(
      name: "Isomers",
      dependencies: [
        "IsomersStamp",
        .product(name: "PluginAPI", package: "PluginAPI"),
      ],
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libIsomers.so"])]),
    .testTarget(
      name: "IsomersTests",
      dependencies: [
        "Isomers",
        .product(name: "PluginAPI", package: "PluginAPI"),
        .product(name: "PluginTesting", package: "PluginTesting"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
