// swift-tools-version: 6.2
import PackageDescription

// The same tool is in Python in ReagentsPython.
let workbench = "../../Sources"

let settings: [SwiftSetting] = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map {
  .enableUpcomingFeature($0)
}
let contract: Target.Dependency = .product(name: "PluginAPI", package: "PluginAPI")

let package = Package(
  name: "Reagents",
  products: [.library(name: "Reagents", type: .dynamic, targets: ["Reagents"])],
  dependencies: ["PluginAPI", "PluginKit", "PluginTesting"].map { .package(path: "\(workbench)/\($0)") },
  targets: [
    .target(name: "ReagentsStamp", dependencies: [contract]),
    .target(
      name: "Reagents", dependencies: ["ReagentsStamp", contract, .product(name: "PluginStore", package: "PluginKit")],
      swiftSettings: settings, linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libReagents.so"])]),
    .testTarget(
      name: "ReagentsTests",
      dependencies: ["Reagents", contract, .product(name: "PluginTesting", package: "PluginTesting")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
