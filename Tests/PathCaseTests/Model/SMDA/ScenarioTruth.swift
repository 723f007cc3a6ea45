import Foundation
import PluginAPI
import PluginJSON
import PluginText
import TestSupport
import Testing

@testable import PathCase

/// The networks with known scenarios, if the shared data are present.
enum ScenarioTruth {
  /// A network and its known results.
  struct Example {
    var name: String
    var network: ScenarioNetwork
    var expected: Record

    func texts(_ field: String) -> [String]? { expected[field]?.list?.compactMap(\.text) }
  }

  static let folder = SharedData.folder?.appendingPathComponent("pathcase/smda")

  /// The names of all files, sorted.
  static let names: [String] = {
    guard let folder, let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
    return all.filter { $0.hasSuffix(".json") }.sorted()
  }()

  static func example(_ name: String) throws -> Example {
    let folder = try #require(folder)
    let bytes = try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
    let document = try Value(json: bytes)
    return Example(
      name: name, network: try ScenarioNetworkReader.read(bytes),
      expected: try #require(document.record?["expected"]?.record))
  }

  /// Returns the digest of a set of scenarios: of their texts, sorted and separated by line feeds.
  static func digest(_ scenarios: [Scenario]) -> String {
    let texts = scenarios.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return SHA256.hexadecimal(of: Array(texts.joined(separator: "\n").utf8))
  }
}
