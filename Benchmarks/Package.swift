// swift-tools-version: 6.2
import PackageDescription

// Programs that print one JSON line per measurement, with the peer measured in the same run.
//
// An executable cannot be a dependency, so the host's sources are built here again as a library, together with those of
// the plugins (two packages may not have targets of the same name): `Host`, `CHost`, `CTermpaint`, `Molecules`,
// `OpenBIS`, `PathCase` and `JSONDocuments` in Sources are links into the root package, the flags are the root's, and
// only `main.swift` is omitted. Thus the measured code is exactly the program's, without hooks for measurement.
// Response times for users (start-up, `plugin list`, from a key to its frame) are measured on the real program from
// outside.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]

/// The settings of shipped targets.
let shipped: [SwiftSetting] =
  settings + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

/// The settings of shipped targets that are optimized for size.
let sized: [SwiftSetting] =
  shipped + [
    .unsafeFlags(
      ["-Osize", "-Xllvm", "-enable-machine-outliner=always", "-Xllvm", "-enable-linkonceodr-outlining"],
      .when(configuration: .release))
  ]

/// The same, as one object for a module.
let compact: [SwiftSetting] =
  sized + [
    .unsafeFlags(["-Xfrontend", "-enable-single-module-llvm-emission"], .when(configuration: .release))
  ]

/// Closures go to libdispatch as blocks.
let blocks: LinkerSetting = .linkedLibrary("BlocksRuntime")

/// Square roots become one instruction, as in the root package.
let drawing: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-fno-math-errno"])]

let api: Target.Dependency = .product(name: "PluginAPI", package: "PluginAPI")
let opening: Target.Dependency = .product(name: "COpening", package: "PluginKit")
let compression: Target.Dependency = .product(name: "PluginCompression", package: "PluginKit")
let images: Target.Dependency = .product(name: "PluginImages", package: "PluginKit")
let json: Target.Dependency = .product(name: "PluginJSON", package: "PluginKit")
let net: Target.Dependency = .product(name: "PluginNet", package: "PluginKit")
let postgres: Target.Dependency = .product(name: "PluginPostgres", package: "PluginKit")
let server: Target.Dependency = .product(name: "PluginServer", package: "PluginKit")
let simulation: Target.Dependency = .product(name: "PluginSimulation", package: "PluginKit")
let store: Target.Dependency = .product(name: "PluginStore", package: "PluginKit")
let text: Target.Dependency = .product(name: "PluginText", package: "PluginKit")
let vault: Target.Dependency = .product(name: "PluginVault", package: "PluginKit")
let xml: Target.Dependency = .product(name: "PluginXML", package: "PluginKit")

/// Returns a program that takes measurements.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: ["BenchmarkSupport"] + dependencies, swiftSettings: settings)
}

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(path: "../Sources/PluginAPI"),
    .package(path: "../Sources/PluginKit"),
  ],
  targets: [
    .target(
      name: "CHost",
      cSettings: [.unsafeFlags(["-I", "\(Context.packageDirectory)/../Sources/PluginKit/CDigest/include"])]),
    .systemLibrary(name: "CTermpaint", pkgConfig: "termpaint", providers: [.apt(["libtermpaint-dev"])]),
    .target(
      name: "Host", dependencies: ["CHost", "CTermpaint", api, images, postgres], exclude: ["Main/main.swift"],
      swiftSettings: sized, linkerSettings: [blocks]),
    .target(name: "MoleculesStamp", dependencies: [api], path: "Sources/Molecules/Stamp", publicHeadersPath: "."),
    .target(
      name: "Molecules",
      dependencies: ["MoleculesStamp", api, compression, images, json, net, postgres, store, text, xml],
      exclude: ["Resources", "Stamp"],
      swiftSettings: shipped + drawing, linkerSettings: [blocks]),
    .target(name: "OpenBISStamp", dependencies: [api], path: "Sources/OpenBIS/Stamp", publicHeadersPath: "."),
    .target(
      name: "OpenBISSimulator", dependencies: [api, compression, images, json, server, simulation, text],
      path: "Sources/OpenBIS/Simulator", swiftSettings: compact),
    .target(
      name: "OpenBIS",
      dependencies: [
        "OpenBISSimulator", "OpenBISStamp", api, compression, images, json, net, store, text, vault, xml,
      ],
      exclude: ["Resources", "Simulator", "Stamp"], swiftSettings: compact, linkerSettings: [blocks]),
    .target(name: "CLinear", dependencies: [opening], path: "Sources/PathCase/CLinear"),
    .target(name: "CPicture", dependencies: [opening], path: "Sources/PathCase/CPicture"),
    .target(name: "PathCaseStamp", dependencies: [api], path: "Sources/PathCase/Stamp", publicHeadersPath: "."),
    .target(
      name: "PathCaseSimulator", dependencies: [api, compression, server, simulation, text],
      path: "Sources/PathCase/Simulator", swiftSettings: compact),
    .target(
      name: "PathCase",
      dependencies: [
        "CLinear", "CPicture", "PathCaseSimulator", "PathCaseStamp", api, compression, images, json, net, postgres,
        simulation, store, text, xml,
      ],
      exclude: ["CLinear", "CPicture", "Database", "Resources", "Simulator", "Stamp"], swiftSettings: shipped,
      linkerSettings: [blocks]),
    .target(name: "WSABIStamp", dependencies: [api], path: "Sources/WSABI/Stamp", publicHeadersPath: "."),
    .target(name: "CCamera", path: "Sources/WSABI/CCamera"),
    .target(name: "CDiscovery", dependencies: [opening], path: "Sources/WSABI/CDiscovery"),
    .target(name: "CWriting", path: "Sources/WSABI/CWriting"),
    .target(
      name: "WSABISimulator", dependencies: [api, compression, images, json, server, simulation, text],
      path: "Sources/WSABI/Simulator", swiftSettings: compact),
    .target(
      name: "WSABI",
      dependencies: [
        "CCamera", "CDiscovery", "CWriting", "WSABISimulator", "WSABIStamp", api, compression, images, json, net,
        server, simulation, store, text, vault, xml,
      ],
      exclude: ["CCamera", "CDiscovery", "CWriting", "Resources", "Simulator", "Stamp"], swiftSettings: compact,
      linkerSettings: [blocks]),
    .target(name: "CAllocations"),
    .target(name: "CBenchmark"),
    .target(name: "CYajl", linkerSettings: [.linkedLibrary("yajl")]),
    .target(name: "JSONDocuments", dependencies: [json, text], swiftSettings: settings),
    .target(name: "BenchmarkSupport", dependencies: ["CBenchmark", text], swiftSettings: settings),
    program("BadInputsBenchmark", api, json, text),
    program("BatchBenchmark", "Host", api),
    program("BatchSimulationBenchmark", "Host", text),
    program("ChemistryBenchmark", "Molecules", compression),
    program("DrawingBenchmark", "PathCase", text),
    program("FrameBenchmark", "Host", api),
    program("JSONBenchmark", "CYajl", json, text),
    program("LabStoreBenchmark", "OpenBIS", api, store),
    program("LabSyncBenchmark"),
    program("LayoutBenchmark", "PathCase", compression, text),
    program("LibraryBenchmark", "Molecules", api, compression, store),
    program("LoopBenchmark", "Host", api),
    program("LuaBenchmark", "Host", api),
    program("PanBenchmark", "PathCase", api, text),
    program("NetworksBenchmark", "PathCase", compression),
    program("ParseBenchmark", "Molecules", compression),
    program("PluginBenchmark", "Host", api),
    program("RasterBenchmark", "Host", "Molecules", api),
    program("PeopleBenchmark", "WSABI", api, store, vault),
    program("ScanBenchmark", "Molecules"),
    program("ScenarioBenchmark", "PathCase", text),
    program("SelectionBenchmark", "Molecules"),
    program("SensorsBenchmark", "WSABI", api, net, vault),
    program("ServeBenchmark"),
    program("ShapeBenchmark", "Molecules", compression),
    program("StartupBenchmark"),
    program("UpdateBenchmark", "PathCase", "PathCaseSimulator", simulation),
    program("TurningBenchmark", "Host", "Molecules", api, compression),
    program("Campaign", "CAllocations", "JSONDocuments", "Molecules", api, compression, images, json, store, text),
  ],
  swiftLanguageModes: [.v6]
)
