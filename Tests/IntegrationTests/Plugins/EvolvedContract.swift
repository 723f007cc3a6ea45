import Foundation
import TestSupport
import Testing

/// A later revision of the contract, built from a changed copy of its sources.
struct EvolvedContract {
  /// Its number, one above the present one.
  let revision: Int

  /// The additions to the contract: fields and a case before the others, and a requirement with a default.
  private static let additions = [
    (
      "Contract/Parts/Contributions.swift", "  public var plugin: PluginIdentity\n",
      "  /// A new field.\n  public var evolvedNote: String = \"a-new-field\"\n"
    ),
    (
      "Contract/Parts/Plugin.swift", "  public var resources: String\n",
      "  /// A new field.\n  public var evolved: [String] = [\"x\"]\n"
    ),
    (
      "Contract/Commands/CommandDescription.swift", "    case reads\n",
      "    /// A new case.\n    case evolved\n"
    ),
    (
      "Contract/Events/ErrorReport.swift", "    case debug\n",
      "    /// A new case.\n    case evolved\n"
    ),
    (
      "Contract/Parts/Plugin.swift", "  var contributions: Contributions { get }\n",
      "  /// A new requirement.\n  var evolvedRequirement: String { get }\n\n"
    ),
    (
      "Contract/Parts/Plugin.swift", "  @MainActor public func activate(",
      "  /// The default.\n  public var evolvedRequirement: String { \"the-default\" }\n"
    ),
  ]

  /// Builds the contract in a folder: `libPluginAPI.so`, its module and `module.modulemap`.
  init(in folder: TemporaryFolder) throws {
    let sources = folder.url("PluginAPI")
    try FileManager.default.copyItem(at: Checkout.root.appendingPathComponent("Sources/PluginAPI"), to: sources)
    for (file, place, addition) in Self.additions {
      try Self.add(addition, before: place, in: sources.appendingPathComponent(file))
    }
    let header = sources.appendingPathComponent("Stamp/include/workbench_plugin.h")
    let name = "#define WORKBENCH_CONTRACT_REVISION "
    var text = try String(contentsOf: header, encoding: .utf8)
    let place = try #require(text.range(of: name)).upperBound
    let number = text[place...].prefix(while: \.isNumber)
    revision = try #require(Int(number)) + 1
    text.replaceSubrange(number.startIndex..<number.endIndex, with: "\(revision)")
    try text.write(to: header, atomically: true, encoding: .utf8)
    let map = "module PluginStamp {\n  header \"\(header.path)\"\n  export *\n}\n"
    try folder.write(Array(map.utf8), "module.modulemap")
    let stamp = folder.url("contract-stamp.o").path
    try PluginFixture.tool(
      "clang",
      [
        "-c", "-fPIC", "-I", header.deletingLastPathComponent().path,
        sources.appendingPathComponent("Stamp/stamp.c").path, "-o", stamp,
      ])
    let contract = sources.appendingPathComponent("Contract")
    let files = try #require(FileManager.default.enumerator(at: contract, includingPropertiesForKeys: nil))
      .compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }.sorted()
    try PluginFixture.tool(
      "swiftc",
      [
        "-swift-version", "6", "-parse-as-library", "-emit-library", "-emit-module", "-module-name", "PluginAPI",
        "-enable-library-evolution", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
        "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
        "-Xcc", "-fmodule-map-file=" + folder.url("module.modulemap").path, "-emit-module-path",
        folder.url("PluginAPI.swiftmodule").path, "-Xlinker", "-soname", "-Xlinker", "libPluginAPI.so", stamp,
        "-o", folder.url("libPluginAPI.so").path,
      ] + files)
  }

  private static func add(_ addition: String, before place: String, in file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let range = try #require(text.range(of: place), "\(file.lastPathComponent) has no place for the addition")
    try (text[..<range.lowerBound] + addition + text[range.lowerBound...]).write(
      to: file, atomically: true, encoding: .utf8)
  }
}
