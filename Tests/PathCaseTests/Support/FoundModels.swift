import Foundation
import TestSupport

@testable import PathCase

/// Models found after the program was written, read in place with the results of other programs.
enum FoundModels {
  private static let folder = SharedData.folder?.appendingPathComponent("found/pathcase")
  private static let truths: Data? = folder.flatMap {
    try? Data(contentsOf: $0.appendingPathComponent("ground_truth.json"))
  }

  /// A Boolean value indicating whether the files are present.
  static var arePresent: Bool { truths != nil }

  /// Returns the path of a model such as `iAF1260`; nil if it is absent.
  static func path(_ name: String) -> String? { folder?.appendingPathComponent("\(name).xml.gz").path }

  /// Returns a model.
  ///
  /// - Throws: Errors of reading, including those of an absent file.
  static func model(_ name: String) throws -> ReactionModel {
    guard let path = path(name) else { throw CocoaError(.fileNoSuchFile) }
    return try SBMLReader.model(MapBytes.plain([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))).model
  }

  /// Returns the figures of a model from COBRApy; empty if they are absent.
  static func truth(_ name: String) -> [String: Any] {
    guard let truths, let all = try? JSONSerialization.jsonObject(with: truths) as? [String: Any],
      let entry = all["files/sbml/\(name).xml.gz"] as? [String: Any]
    else { return [:] }
    return entry["truth"] as? [String: Any] ?? [:]
  }
}
