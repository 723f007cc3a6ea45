// swift-tools-version: 6.2
import PackageDescription

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
      ],
      linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libPluginTesting.so"])]
    )
  ],
  swiftLanguageModes: [.v6]
)
