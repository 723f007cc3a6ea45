// swift-tools-version: 6.2
import PackageDescription

// Programs that print one JSON line per measurement, with the peer measured in the same run.

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(path: "../Sources/PluginAPI")
  ],
  targets: [
    .target(name: "BenchmarkSupport"),
    .executableTarget(
      name: "FrameBenchmark", dependencies: ["BenchmarkSupport", .product(name: "PluginAPI", package: "PluginAPI")]),
    .executableTarget(name: "StartupBenchmark", dependencies: ["BenchmarkSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
