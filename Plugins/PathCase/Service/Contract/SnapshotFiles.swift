/// Reads the complete documents of a local snapshot, and checks them against its manifest.
struct SnapshotFiles: Sendable {
  /// Returns the bytes of a document by its path in the snapshot.
  var bytes: @Sendable (_ path: String) throws -> [UInt8]

  /// Returns the documents of a folder, such as those bundled with the plugin.
  static func folder(_ folder: String) -> SnapshotFiles {
    SnapshotFiles { try FolderFile.read("\(folder)/\($0)", limitInBytes: ContractPacking.limitInBytes) }
  }

  /// Returns all records of the snapshot, unlinked, with their positions and the warnings of the documents.
  ///
  /// - Throws: ``ContractError``; ``SnapshotError`` for documents that do not match; the errors of `bytes`.
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
