// swift-tools-version: 6.2
import PackageDescription

// Service libraries on the contract, each loaded only by those who use it. No library here depends on
// another's target: SwiftPM would link it in statically (Documentation/Decisions/0001).

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-enable-library-evolution"]),
  // Regular expressions would come into every process: a seventh of the time `version` takes (Decisions/0009).
  .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
  // Each function can be dropped or joined with an equal one by the linker (Decisions/0060).
  .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
]

/// The settings of libraries that wait for servers, clients and users most of the time (Decisions/0102).
let sized: [SwiftSetting] =
  settings + [
    .unsafeFlags(
      [
        "-Osize", "-Xllvm", "-enable-machine-outliner=always", "-Xllvm", "-enable-linkonceodr-outlining",
        "-Xfrontend", "-enable-single-module-llvm-emission",
      ], .when(configuration: .release))
  ]

/// Names the library in its ELF header as its file is called, so that a plugin anywhere finds the one the host opened;
/// packs relocations, makes equal functions one (Decisions/0060), and leaves out the tables for C++ exceptions
/// (Decisions/0102).
func linking(_ library: String) -> [LinkerSetting] {
  let flags = [
    "-soname", "lib\(library).so", "-z", "pack-relative-relocs", "--icf=all", "--no-eh-frame-hdr", "-T",
    "\(Context.packageDirectory)/../no-unwind-tables.lds",
  ]
  return [.unsafeFlags(["-use-ld=lld"] + flags.flatMap { ["-Xlinker", $0] })]
}

let contract: Target.Dependency = .product(name: "PluginAPI", package: "PluginAPI")

let package = Package(
  name: "PluginKit",
  products: [
    // Static: plain C, of which every library may have a copy.
    .library(name: "COpening", targets: ["COpening"]),
    .library(name: "PluginCompression", type: .dynamic, targets: ["PluginCompression"]),
    .library(name: "PluginImages", type: .dynamic, targets: ["PluginImages"]),
    .library(name: "PluginJSON", type: .dynamic, targets: ["PluginJSON"]),
    .library(name: "PluginNet", type: .dynamic, targets: ["PluginNet"]),
    .library(name: "PluginPostgres", type: .dynamic, targets: ["PluginPostgres"]),
    .library(name: "PluginServer", type: .dynamic, targets: ["PluginServer"]),
    .library(name: "PluginSimulation", type: .dynamic, targets: ["PluginSimulation"]),
    .library(name: "PluginStore", type: .dynamic, targets: ["PluginStore"]),
    .library(name: "PluginText", type: .dynamic, targets: ["PluginText"]),
    .library(name: "PluginVault", type: .dynamic, targets: ["PluginVault"]),
    .library(name: "PluginXML", type: .dynamic, targets: ["PluginXML"]),
  ],
  dependencies: [.package(path: "../PluginAPI")],
  targets: [
    .systemLibrary(name: "CDeflate", path: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CZlib", path: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "PluginCompression", dependencies: [contract, "CDeflate", "CZlib"], path: "PluginCompression",
      swiftSettings: settings, linkerSettings: linking("PluginCompression")),

    .target(name: "CImageDecoders", path: "CImageDecoders"),
    .target(
      name: "PluginImages", dependencies: [contract, "CImageDecoders"], path: "PluginImages",
      swiftSettings: settings, linkerSettings: linking("PluginImages")),

    // Opens a C library at its first use.
    .target(name: "COpening", path: "COpening"),

    .target(name: "CTokens", dependencies: ["COpening"], path: "CTokens"),
    .target(
      name: "PluginJSON", dependencies: [contract, "CTokens"], path: "PluginJSON",
      swiftSettings: settings, linkerSettings: linking("PluginJSON")),

    .target(name: "CTransfer", dependencies: ["COpening"], path: "CTransfer"),
    .target(
      name: "PluginNet", dependencies: [contract, "CTransfer"], path: "PluginNet",
      swiftSettings: sized, linkerSettings: linking("PluginNet")),

    .target(name: "CPostgres", dependencies: ["COpening"], path: "CPostgres"),
    .target(
      name: "PluginPostgres", dependencies: [contract, "CPostgres"], path: "PluginPostgres",
      swiftSettings: sized, linkerSettings: linking("PluginPostgres")),

    .target(name: "CServing", dependencies: ["COpening"], path: "CServing"),
    .target(
      name: "PluginServer", dependencies: [contract, "CServing"], path: "PluginServer",
      swiftSettings: sized, linkerSettings: linking("PluginServer")),

    .target(
      name: "PluginSimulation", dependencies: [contract], path: "PluginSimulation",
      swiftSettings: sized, linkerSettings: linking("PluginSimulation")),

    .target(name: "CSQLite", dependencies: ["COpening"], path: "CSQLite"),
    .target(
      name: "PluginStore", dependencies: [contract, "CSQLite"], path: "PluginStore",
      swiftSettings: settings, linkerSettings: linking("PluginStore")),

    .target(name: "CDigest", path: "CDigest"),
    .target(
      name: "PluginText", dependencies: ["CDigest"], path: "PluginText",
      swiftSettings: settings, linkerSettings: linking("PluginText")),

    .target(name: "CVault", dependencies: ["COpening"], path: "CVault"),
    .target(
      name: "PluginVault", dependencies: [contract, "CVault"], path: "PluginVault",
      swiftSettings: sized, linkerSettings: linking("PluginVault")),

    // Debian keeps the headers of libxml2 in a folder of their own; the library is opened when it is used.
    .target(
      name: "CMarkup", dependencies: ["COpening"], path: "CMarkup",
      cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])]),
    .target(
      name: "PluginXML", dependencies: [contract, "CMarkup"], path: "PluginXML",
      swiftSettings: settings, linkerSettings: linking("PluginXML")),
  ],
  swiftLanguageModes: [.v6]
)
