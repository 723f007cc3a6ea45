import Foundation
import TestSupport

@testable import PathCase

/// Models that were found after the program was written, read in place with what peers compute of them.
enum FoundModels {
  private static let folder = SharedData.folder?.appendingPathComponent("found/pathcase")
  private static let truths: Data? = folder.flatMap {
    try? Data(contentsOf: $0.appendingPathComponent("ground_truth.json"))
  }

  /// A Boolean value indicating whether the files are there.
  static var arePresent: Bool { truths != nil }

  /// The path of a model such as `iAF1260`; nil where it is absent.
  static func path(_ name: String) -> String? { folder?.appendingPathComponent("\(name).xml.gz").path }

  /// A model.
  ///
  /// - Throws: Errors of reading, also where the file is absent.
  static func model(_ name: String) throws -> ReactionModel {
    guard let path = path(name) else { throw CocoaError(.fileNoSuchFile) }
    return try SBMLReader.model([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))).model
  }

  /// The figures of a model, as COBRApy gives them; empty where they are absent.
  static func truth(_ name: String) -> [String: Any] {
    guard let truths, let all = try? JSONSerialization.jsonObject(with: truths) as? [String: Any],
      let entry = all["files/sbml/\(name).xml.gz"] as? [String: Any]
    else { return [:] }
    return entry["truth"] as? [String: Any] ?? [:]
  }
}
