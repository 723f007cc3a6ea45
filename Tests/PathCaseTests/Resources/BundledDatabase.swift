import Foundation
import TestSupport

@testable import PathCase

/// The bundled database, read once.
enum BundledDatabase {
  static let folder = Checkout.root.appendingPathComponent("Plugins/PathCase/Resources/database")

  static let linked = Result<MetabolicDatabase, any Error> {
    let files = SnapshotFiles { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))) }
    let (records, places, _) = try files.read()
    return try DatabaseLinker.link(records, places: places)
  }
}
