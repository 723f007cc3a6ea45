// swift-tools-version: 6.2
import PackageDescription

// A typical plugin package: it depends on the contract, one library of the kit, and in its tests on the test kit. Only
// the location of these packages ties it to this checkout.
let workbench = "../../Sources"

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Tides",
  products: [
    .library(name: "Tides", type: .dynamic, targets: ["Tides"])
  ],
  dependencies: [
    .package(path: "\(workbench)/PluginAPI"),
    .package(path: "\(workbench)/PluginKit"),
    .package(path: "\(workbench)/PluginTesting"),
  ],
  targets: [
    .target(name: "TidesStamp", dependencies: [.product(name: "PluginAPI", package: "PluginAPI")]),
    .target(
      name: "Tides",
      dependencies: [
        "TidesStamp",
        .product(name: "PluginAPI", package: "PluginAPI"),
        .product(name: "PluginStore", package: "PluginKit"),
      ],
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libTides.so"])]),
    .testTarget(
      name: "TidesTests",
      dependencies: [
        "Tides",
        .product(name: "PluginAPI", package: "PluginAPI"),
        .product(name: "PluginTesting", package: "PluginTesting"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
