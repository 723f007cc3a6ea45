// swift-tools-version: 6.2
import PackageDescription

// The smallest plugin package: it depends on the contract, and in its tests on the test kit.
let workbench = "../../Sources"

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Photon",
  products: [
    .library(name: "Photon", type: .dynamic, targets: ["Photon"])
  ],
  dependencies: [
    .package(path: "\(workbench)/PluginAPI"),
    .package(path: "\(workbench)/PluginTesting"),
  ],
  targets: [
    .target(name: "PhotonStamp", dependencies: [.product(name: "PluginAPI", package: "PluginAPI")]),
    .target(
      name: "Photon",
      dependencies: [
        "PhotonStamp",
        .product(name: "PluginAPI", package: "PluginAPI"),
      ],
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libPhoton.so"])]),
    .testTarget(
      name: "PhotonTests",
      dependencies: [
        "Photon",
        .product(name: "PluginAPI", package: "PluginAPI"),
        .product(name: "PluginTesting", package: "PluginTesting"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
