// swift-tools-version: 6.2
import PackageDescription

// Programs that print one JSON line per measurement, with the peer measured in the same run.

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(path: "../Sources/PluginAPI"),
    .package(path: "../Sources/PluginKit"),
    .package(name: "workbench", path: ".."),
  ],
  targets: [
    .target(name: "BenchmarkSupport"),
    .executableTarget(
      name: "FrameBenchmark", dependencies: ["BenchmarkSupport", .product(name: "PluginAPI", package: "PluginAPI")]),
    // Imports the plugin library itself, as it ships: the root package builds its release with -enable-testing, so that its
    // internals can be called from here without a copy of the sources or another set of build flags.
    .executableTarget(
      name: "ParseBenchmark",
      dependencies: [
        "BenchmarkSupport", .product(name: "Molecules", package: "workbench"),
        .product(name: "PluginCompression", package: "PluginKit"),
      ]),
    .executableTarget(name: "StartupBenchmark", dependencies: ["BenchmarkSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
