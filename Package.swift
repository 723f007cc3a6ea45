// swift-tools-version: 6.2
import PackageDescription

// The workbench program, the plugins that ship with it, and all tests. Contract, kit and test kit are
// packages of their own so that every library in a process shares one copy of them (Documentation/Decisions/0001).

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=150"], .when(configuration: .debug)),
  // Tests run on the release build: one build serves both.
  .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]

/// The settings of what ships.
let shipped: [SwiftSetting] =
  settings + [
    // Regular expressions would come into every process: a seventh of the time `version` takes (Decisions/0009).
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
    // Each function can be dropped or joined with an equal one by the linker (Decisions/0060).
    .unsafeFlags(["-Xfrontend", "-function-sections"]),
  ]

/// The settings of what waits for others most of the time, or must be compiled soon: optimized for size, with pieces of
/// code that repeat made functions (Decisions/0102).
let sized: [SwiftSetting] =
  shipped + [
    .unsafeFlags(
      ["-Osize", "-Xllvm", "-enable-machine-outliner=always", "-Xllvm", "-enable-linkonceodr-outlining"],
      .when(configuration: .release))
  ]

/// As `sized`, as one object for a module, which is smaller and a third slower, and takes one core alone to compile: not
/// for the program (Decisions/0102).
let compact: [SwiftSetting] =
  sized + [
    .unsafeFlags(["-Xfrontend", "-enable-single-module-llvm-emission"], .when(configuration: .release))
  ]

/// The settings of tests: compiled in a third of the time, as what they test is optimized and they are not.
///
/// They have a module cache of their own: `Testing` is compiled from its interface, with the modules that it imports.
/// Code that ships would be compiled with these, if they are there, and have other bytes (Decisions/0102).
let tests: [SwiftSetting] =
  settings + [
    .unsafeFlags(
      ["-Onone", "-module-cache-path", "\(Context.packageDirectory)/.build/ModuleCacheOfTests"],
      .when(configuration: .release))
  ]

/// Closures go to libdispatch as blocks.
let blocks: LinkerSetting = .linkedLibrary("BlocksRuntime")

/// Square roots become one instruction, as nobody reads the error number C keeps of them.
let drawing: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-fno-math-errno"])]

/// All tests are one program, in which the entry functions of the plugins meet; nobody calls them there.
let manyEntries: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "--allow-multiple-definition"])]

/// Packs relocations, makes equal functions one (Decisions/0060), and leaves out the tables for C++ exceptions
/// (Decisions/0102).
let small: LinkerSetting = .unsafeFlags(
  ["-use-ld=lld"]
    + [
      "-z", "pack-relative-relocs", "--icf=all", "--no-eh-frame-hdr", "-T",
      "\(Context.packageDirectory)/Sources/no-unwind-tables.lds",
    ].flatMap { ["-Xlinker", $0] })

/// A library of the contract, the kit or the test kit.
func shared(_ name: String) -> Target.Dependency {
  .product(name: name, package: name == "PluginAPI" || name == "PluginTesting" ? name : "PluginKit")
}

/// Returns the target of a plugin's simulated service, which knows nothing of the plugin (Decisions/0061).
func simulator(_ plugin: String, _ libraries: String...) -> Target {
  .target(
    name: plugin + "Simulator", dependencies: (["PluginAPI", "PluginSimulation"] + libraries).map(shared),
    path: "Plugins/\(plugin)/Simulator", swiftSettings: compact)
}

/// Returns the target that makes a plugin's library of its code and its stamp.
///
/// The entry function is the only symbol it exports (Decisions/0060). Tests link the code without these flags.
func library(_ plugin: String) -> Target {
  let flags = ["-soname", "lib\(plugin).so", "--version-script", "\(Context.packageDirectory)/Plugins/exports.map"]
  return .target(
    name: plugin + "Library", dependencies: [.target(name: plugin), shared("PluginAPI")],
    path: "Plugins/\(plugin)/Stamp", publicHeadersPath: ".",
    linkerSettings: [small, .unsafeFlags(flags.flatMap { ["-Xlinker", $0] })])
}

let package = Package(
  name: "workbench",
  products: [
    .executable(name: "workbench", targets: ["Host"]),
    .library(name: "Molecules", type: .dynamic, targets: ["MoleculesLibrary"]),
    .library(name: "OpenBIS", type: .dynamic, targets: ["OpenBISLibrary"]),
    .library(name: "PathCase", type: .dynamic, targets: ["PathCaseLibrary"]),
    .library(name: "WSABI", type: .dynamic, targets: ["WSABILibrary"]),
  ],
  dependencies: [
    .package(path: "Sources/PluginAPI"),
    .package(path: "Sources/PluginKit"),
    .package(path: "Sources/PluginTesting"),
  ],
  targets: [
    // The host.
    // It compiles the rounds of SHA-256 of the kit, too.
    .target(
      name: "CHost", path: "Sources/CHost", cSettings: [.headerSearchPath("../PluginKit/CDigest/include")]),
    .systemLibrary(
      name: "CTermpaint", path: "Sources/CTermpaint", pkgConfig: "termpaint", providers: [.apt(["libtermpaint-dev"])]),
    .executableTarget(
      name: "Host",
      dependencies: [
        "CHost", "CTermpaint", shared("PluginAPI"), shared("PluginImages"), shared("PluginPostgres"),
      ],
      path: "Sources/Host",
      swiftSettings: sized,
      linkerSettings: [blocks, small]),

    // Molecules.
    library("Molecules"),
    .target(
      name: "Molecules",
      dependencies: [
        shared("PluginAPI"), shared("PluginCompression"), shared("PluginImages"), shared("PluginJSON"),
        shared("PluginNet"), shared("PluginPostgres"), shared("PluginStore"), shared("PluginText"), shared("PluginXML"),
      ],
      path: "Plugins/Molecules",
      exclude: ["Resources", "Stamp"],
      swiftSettings: shipped + drawing,
      linkerSettings: [blocks]),

    // OpenBIS.
    library("OpenBIS"),
    simulator("OpenBIS", "PluginCompression", "PluginImages", "PluginJSON", "PluginServer", "PluginText"),
    .target(
      name: "OpenBIS",
      dependencies: [
        "OpenBISSimulator", shared("PluginAPI"), shared("PluginCompression"), shared("PluginImages"),
        shared("PluginJSON"), shared("PluginNet"), shared("PluginStore"), shared("PluginText"), shared("PluginVault"),
        shared("PluginXML"),
      ],
      path: "Plugins/OpenBIS",
      exclude: ["Resources", "Simulator", "Stamp"],
      swiftSettings: compact,
      linkerSettings: [blocks]),
    .executableTarget(
      name: "LabSyncer", dependencies: ["OpenBIS", shared("PluginAPI"), shared("PluginTesting")],
      path: "Tests/LabSyncer",
      swiftSettings: settings, linkerSettings: manyEntries),

    // PathCase.
    library("PathCase"),
    simulator("PathCase", "PluginCompression", "PluginServer", "PluginText"),
    .target(name: "CLinear", dependencies: [shared("COpening")], path: "Plugins/PathCase/CLinear"),
    .target(name: "CPicture", dependencies: [shared("COpening")], path: "Plugins/PathCase/CPicture"),
    .target(
      name: "PathCase",
      dependencies: [
        "CLinear", "CPicture", "PathCaseSimulator", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginPostgres"),
        shared("PluginSimulation"), shared("PluginStore"), shared("PluginText"), shared("PluginXML"),
      ],
      path: "Plugins/PathCase",
      exclude: ["CLinear", "CPicture", "Database", "Resources", "Simulator", "Stamp"],
      swiftSettings: shipped,
      linkerSettings: [blocks]),
    .executableTarget(
      name: "DatabaseUpdater",
      dependencies: [
        "PathCase", shared("PluginAPI"), shared("PluginStore"), shared("PluginTesting"), shared("PluginText"),
      ],
      path: "Tests/DatabaseUpdater",
      swiftSettings: settings, linkerSettings: manyEntries),

    // WSABI.
    library("WSABI"),
    simulator("WSABI", "PluginCompression", "PluginImages", "PluginJSON", "PluginServer", "PluginText"),
    .target(name: "CCamera", path: "Plugins/WSABI/CCamera"),
    .target(name: "CDiscovery", dependencies: [shared("COpening")], path: "Plugins/WSABI/CDiscovery"),
    .target(name: "CWriting", path: "Plugins/WSABI/CWriting"),
    .target(
      name: "WSABI",
      dependencies: [
        "CCamera", "CDiscovery", "CWriting", "WSABISimulator", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginSimulation"), shared("PluginStore"), shared("PluginText"), shared("PluginVault"),
        shared("PluginXML"),
      ],
      path: "Plugins/WSABI",
      exclude: ["CCamera", "CDiscovery", "CWriting", "Resources", "Simulator", "Stamp"],
      swiftSettings: compact,
      linkerSettings: [blocks]),
    .executableTarget(
      name: "CaptureWriter",
      dependencies: [
        "WSABI", shared("PluginAPI"), shared("PluginNet"), shared("PluginStore"), shared("PluginText"),
        shared("PluginVault"),
      ],
      path: "Tests/CaptureWriter",
      swiftSettings: settings, linkerSettings: manyEntries),

    // Tests.
    .target(
      name: "TestSupport", dependencies: [shared("PluginPostgres")], path: "Tests/TestSupport", swiftSettings: settings),
    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm", pkgConfig: "vterm", providers: [.apt(["libvterm-dev"])]),
    .testTarget(
      name: "HostTests",
      dependencies: [
        "CVTerm", "Host", "TestSupport", shared("PluginAPI"), shared("PluginImages"), shared("PluginPostgres"),
        shared("PluginTesting"), shared("PluginText"),
      ],
      exclude: ["Snapshots"],
      swiftSettings: tests),
    .testTarget(
      name: "MoleculesTests",
      dependencies: [
        "Molecules", "TestSupport", shared("PluginAPI"), shared("PluginCompression"), shared("PluginJSON"),
        shared("PluginPostgres"), shared("PluginStore"), shared("PluginTesting"), shared("PluginText"),
      ],
      exclude: ["Snapshots"],
      swiftSettings: tests),
    .testTarget(
      name: "OpenBISTests",
      dependencies: [
        "LabSyncer", "OpenBIS", "OpenBISSimulator", "TestSupport", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginSimulation"), shared("PluginStore"), shared("PluginTesting"), shared("PluginText"),
        shared("PluginVault"),
      ],
      swiftSettings: tests,
      linkerSettings: manyEntries),
    .testTarget(
      name: "PathCaseTests",
      dependencies: [
        "DatabaseUpdater", "PathCase", "PathCaseSimulator", "TestSupport", shared("PluginAPI"),
        shared("PluginCompression"), shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"),
        shared("PluginPostgres"), shared("PluginServer"), shared("PluginSimulation"), shared("PluginStore"),
        shared("PluginTesting"), shared("PluginText"),
      ],
      swiftSettings: tests,
      linkerSettings: manyEntries),
    .testTarget(
      name: "PluginAPITests", dependencies: ["TestSupport", shared("PluginAPI"), shared("PluginText")],
      swiftSettings: tests),
    .executableTarget(
      name: "StoreWriter", dependencies: [shared("PluginAPI"), shared("PluginStore")], path: "Tests/StoreWriter",
      swiftSettings: settings),
    .target(
      name: "JSONDocuments", dependencies: [shared("PluginJSON"), shared("PluginText")], path: "Tests/JSONDocuments",
      swiftSettings: settings),
    .testTarget(
      name: "PluginKitTests",
      dependencies: [
        "JSONDocuments", "StoreWriter", "TestSupport", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginPostgres"),
        shared("PluginServer"), shared("PluginSimulation"), shared("PluginStore"), shared("PluginTesting"),
        shared("PluginText"), shared("PluginXML"),
      ],
      swiftSettings: tests),
    .testTarget(
      name: "PluginTestingTests", dependencies: [shared("PluginAPI"), shared("PluginTesting")], swiftSettings: tests),
    .testTarget(
      name: "WSABITests",
      dependencies: [
        "CCamera", "CaptureWriter", "TestSupport", "WSABI", "WSABISimulator", shared("PluginAPI"),
        shared("PluginCompression"), shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"),
        shared("PluginServer"), shared("PluginSimulation"), shared("PluginStore"), shared("PluginTesting"),
        shared("PluginText"), shared("PluginVault"), shared("PluginXML"),
      ],
      exclude: ["Snapshots"],
      swiftSettings: tests,
      linkerSettings: manyEntries),
    .testTarget(
      name: "IntegrationTests",
      dependencies: ["CVTerm", "TestSupport", shared("PluginAPI"), shared("PluginText")],
      swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6]
)

// A first look needs the program and one plugin; in one build they are compiled side by side (Scripts/build --only).
// The plugin has no targets but its library and code, as Molecules.
if let only = Context.environment["WORKBENCH_ONLY"] {
  package.dependencies.removeLast()  // the test kit
  package.products.removeAll { !["workbench", only].contains($0.name) }
  package.targets.removeAll { !["CHost", "CTermpaint", "Host", only, only + "Library"].contains($0.name) }
}
