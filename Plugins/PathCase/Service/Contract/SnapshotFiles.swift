internal import PluginStore

/// Reads the documents of a snapshot that are at hand, whole, and checks them against its manifest.
struct SnapshotFiles: Sendable {
  /// Gives the bytes of a document by its path in the snapshot.
  var bytes: @Sendable (_ path: String) throws -> [UInt8]

  /// All records of the snapshot, unlinked, with the places they were told at and the warnings of the documents.
  ///
  /// - Throws: ``ContractError``; ``SnapshotError`` for what does not fit together; what `bytes` throws.
  func read() throws -> (records: DatabaseRecords, places: RecordPlaces, warnings: [RecordIssue]) {
    let reader = ContractReader()
    let manifest = try reader.read(bytes("manifest.xml"), name: "manifest.xml", expecting: .manifest)
    var records = DatabaseRecords(snapshot: manifest.snapshot)
    var places = RecordPlaces()
    var warnings = manifest.warnings
    for entry in manifest.documents {
      guard let type = entry.type, type != .manifest else { continue }
      let content = try bytes(entry.path)
      try SnapshotError.check(content, against: entry)
      let document = try reader.read(content, name: entry.path, expecting: type)
      guard document.snapshot == manifest.snapshot else {
        throw SnapshotError.mixed(
          document: entry.path, found: document.snapshot, expected: manifest.snapshot)
      }
      records.add(document.records)
      places.add(document.places)
      warnings += document.warnings
    }
    return (records, places, warnings)
  }
}
