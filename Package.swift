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

/// Of what ships.
let shipped: [SwiftSetting] =
  settings + [
    // Regular expressions would come into every process: a seventh of the time `version` takes (Decisions/0009).
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
  ]

/// Closures go to libdispatch as blocks.
let blocks: LinkerSetting = .linkedLibrary("BlocksRuntime")

/// Square roots become one instruction, as nobody reads the error number C keeps of them.
let drawing: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-fno-math-errno"])]

/// All tests are one program, in which the entry functions of the plugins meet; nobody calls them there.
let manyEntries: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "--allow-multiple-definition"])]

/// A library of the contract, the kit or the test kit.
func shared(_ name: String) -> Target.Dependency {
  .product(name: name, package: name == "PluginAPI" || name == "PluginTesting" ? name : "PluginKit")
}

/// Names a plugin library in its ELF header as its file is called.
func soname(_ library: String) -> [LinkerSetting] {
  [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "lib\(library).so"])]
}

let package = Package(
  name: "workbench",
  products: [
    .executable(name: "workbench", targets: ["Host"]),
    .library(name: "Molecules", type: .dynamic, targets: ["Molecules"]),
    .library(name: "OpenBIS", type: .dynamic, targets: ["OpenBIS"]),
    .library(name: "PathCase", type: .dynamic, targets: ["PathCase"]),
    .library(name: "WSABI", type: .dynamic, targets: ["WSABI"]),
  ],
  dependencies: [
    .package(path: "Sources/PluginAPI"),
    .package(path: "Sources/PluginKit"),
    .package(path: "Sources/PluginTesting"),
  ],
  targets: [
    // The host.
    .target(name: "CHost", path: "Sources/CHost"),
    .systemLibrary(
      name: "CTermpaint", path: "Sources/CTermpaint", pkgConfig: "termpaint", providers: [.apt(["libtermpaint-dev"])]),
    .executableTarget(
      name: "Host",
      dependencies: ["CHost", "CTermpaint", shared("PluginAPI"), shared("PluginImages")],
      path: "Sources/Host",
      swiftSettings: shipped,
      linkerSettings: [blocks]),

    // Molecules.
    .target(
      name: "MoleculesStamp", dependencies: [shared("PluginAPI")], path: "Plugins/Molecules/Stamp",
      publicHeadersPath: "."),
    .target(
      name: "Molecules",
      dependencies: [
        "MoleculesStamp", shared("PluginAPI"), shared("PluginCompression"), shared("PluginImages"),
        shared("PluginNet"), shared("PluginStore"), shared("PluginText"), shared("PluginXML"),
      ],
      path: "Plugins/Molecules",
      exclude: ["Resources", "Stamp"],
      swiftSettings: shipped + drawing,
      linkerSettings: soname("Molecules") + [blocks]),

    // OpenBIS.
    .target(
      name: "OpenBISStamp", dependencies: [shared("PluginAPI")], path: "Plugins/OpenBIS/Stamp",
      publicHeadersPath: "."),
    .target(
      name: "OpenBIS",
      dependencies: [
        "OpenBISStamp", shared("PluginAPI"), shared("PluginCompression"), shared("PluginImages"), shared("PluginJSON"),
        shared("PluginNet"), shared("PluginServer"), shared("PluginStore"), shared("PluginText"),
        shared("PluginVault"), shared("PluginXML"),
      ],
      path: "Plugins/OpenBIS",
      exclude: ["Resources", "Stamp"],
      swiftSettings: shipped,
      linkerSettings: soname("OpenBIS") + [blocks]),
    .executableTarget(
      name: "LabSyncer", dependencies: ["OpenBIS", shared("PluginAPI"), shared("PluginTesting")],
      path: "Tests/LabSyncer",
      swiftSettings: settings, linkerSettings: manyEntries),

    // PathCase.
    .target(
      name: "PathCaseStamp", dependencies: [shared("PluginAPI")], path: "Plugins/PathCase/Stamp",
      publicHeadersPath: "."),
    .target(name: "CLinear", dependencies: [shared("COpening")], path: "Plugins/PathCase/CLinear"),
    .target(name: "CPicture", dependencies: [shared("COpening")], path: "Plugins/PathCase/CPicture"),
    .target(
      name: "PathCase",
      dependencies: [
        "CLinear", "CPicture", "PathCaseStamp", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginStore"), shared("PluginText"), shared("PluginXML"),
      ],
      path: "Plugins/PathCase",
      exclude: ["CLinear", "CPicture", "Database", "Resources", "Stamp"],
      swiftSettings: shipped,
      linkerSettings: soname("PathCase") + [blocks]),
    .executableTarget(
      name: "DatabaseUpdater",
      dependencies: ["PathCase", shared("PluginAPI"), shared("PluginStore"), shared("PluginTesting")],
      path: "Tests/DatabaseUpdater",
      swiftSettings: settings, linkerSettings: manyEntries),

    // WSABI.
    .target(
      name: "WSABIStamp", dependencies: [shared("PluginAPI")], path: "Plugins/WSABI/Stamp", publicHeadersPath: "."),
    .target(name: "CCamera", path: "Plugins/WSABI/CCamera"),
    .target(name: "CDiscovery", dependencies: [shared("COpening")], path: "Plugins/WSABI/CDiscovery"),
    .target(name: "CWriting", path: "Plugins/WSABI/CWriting"),
    .target(
      name: "WSABI",
      dependencies: [
        "CCamera", "CDiscovery", "CWriting", "WSABIStamp", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginStore"), shared("PluginText"), shared("PluginVault"), shared("PluginXML"),
      ],
      path: "Plugins/WSABI",
      exclude: ["CCamera", "CDiscovery", "CWriting", "Resources", "Stamp"],
      swiftSettings: shipped,
      linkerSettings: soname("WSABI") + [blocks]),
    .executableTarget(
      name: "CaptureWriter",
      dependencies: [
        "WSABI", shared("PluginAPI"), shared("PluginNet"), shared("PluginStore"), shared("PluginText"),
        shared("PluginVault"),
      ],
      path: "Tests/CaptureWriter",
      swiftSettings: settings, linkerSettings: manyEntries),

    // Tests.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm", pkgConfig: "vterm", providers: [.apt(["libvterm-dev"])]),
    .testTarget(
      name: "HostTests",
      dependencies: [
        "CVTerm", "Host", "TestSupport", shared("PluginAPI"), shared("PluginImages"), shared("PluginTesting"),
        shared("PluginText"),
      ],
      exclude: ["Snapshots"],
      swiftSettings: settings),
    .testTarget(
      name: "MoleculesTests",
      dependencies: [
        "Molecules", "TestSupport", shared("PluginAPI"), shared("PluginCompression"), shared("PluginStore"),
        shared("PluginTesting"), shared("PluginText"),
      ],
      exclude: ["Snapshots"],
      swiftSettings: settings),
    .testTarget(
      name: "OpenBISTests",
      dependencies: [
        "LabSyncer", "OpenBIS", "TestSupport", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginStore"), shared("PluginTesting"), shared("PluginText"), shared("PluginVault"),
      ],
      swiftSettings: settings,
      linkerSettings: manyEntries),
    .testTarget(
      name: "PathCaseTests",
      dependencies: [
        "DatabaseUpdater", "PathCase", "TestSupport", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginStore"), shared("PluginTesting"), shared("PluginText"),
      ],
      swiftSettings: settings,
      linkerSettings: manyEntries),
    .testTarget(
      name: "PluginAPITests", dependencies: ["TestSupport", shared("PluginAPI"), shared("PluginText")],
      swiftSettings: settings),
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
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginStore"), shared("PluginText"), shared("PluginXML"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PluginTestingTests", dependencies: [shared("PluginAPI"), shared("PluginTesting")], swiftSettings: settings),
    .testTarget(
      name: "WSABITests",
      dependencies: [
        "CCamera", "CaptureWriter", "TestSupport", "WSABI", shared("PluginAPI"), shared("PluginCompression"),
        shared("PluginImages"), shared("PluginJSON"), shared("PluginNet"), shared("PluginServer"),
        shared("PluginStore"), shared("PluginTesting"), shared("PluginText"), shared("PluginVault"),
        shared("PluginXML"),
      ],
      exclude: ["Snapshots"],
      swiftSettings: settings,
      linkerSettings: manyEntries),
    .testTarget(
      name: "IntegrationTests",
      dependencies: ["CVTerm", "TestSupport", shared("PluginAPI"), shared("PluginText")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
