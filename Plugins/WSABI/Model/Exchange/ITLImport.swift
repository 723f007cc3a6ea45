/// A person read from an ANSI/NIST-ITL transaction: the details of Type-2, and the items of Type-10, Type-14 and
/// Type-17.
///
/// - Source: ANSI/NIST-ITL 1-2011 (NIST SP 500-290), sections 8.2, 8.10, 8.14, 8.17; the numbers of Type-2 are those that
///   ``ITLExport`` writes.
struct ITLImport: Sendable, Hashable {
  /// An item with its picture.
  struct Item: Sendable, Hashable {
    var submodality: Submodality
    var annotation: Annotation
    /// Nil for a finger or an eye that is missing.
    var image: ExchangedImage?
    /// The day of the capture as `yyyymmdd`; empty if it is not stated.
    var day: String
    /// The agency that captured it.
    var source: String
  }

  let biography: Biography
  let items: [Item]
  /// Records left out, by their position in the file from 1, with the reason.
  let leftOut: [Int: String]

  init(_ transaction: ITLTransaction) {
    var items: [Item] = []
    var leftOut: [Int: String] = [:]
    let domain = transaction.records.first?[13]
    let isOwn = domain == ITLExport.domain
    for (index, record) in transaction.records.enumerated() where record.type > 2 {
      if let item = Self.item(record, isOwn: isOwn) {
        items.append(item)
      } else {
        leftOut[index + 1] = "unsupported record of Type-\(record.type)"
      }
    }
    (self.items, self.leftOut) = (items, leftOut)
    // Without a domain, the standard's own applies.
    let isCoded = [nil, "", EBTSCodes.domain].contains(domain)
    biography =
      transaction.records.first { $0.type == 2 }.map { Self.biography($0, isOwn: isOwn, isCoded: isCoded) }
      ?? Biography()
  }

  /// - Parameters:
  ///   - isOwn: True if the file is of our own domain, so that its user-defined fields are ours.
  ///   - isCoded: True if Type-2 has the codes of the FBI's specification.
  private static func biography(_ record: ITLRecord, isOwn: Bool, isCoded: Bool) -> Biography {
    func text(_ text: String, _ number: Int) -> String { isCoded ? EBTSCodes.decoded(text, field: number) : text }
    func texts(_ number: Int) -> [String] {
      record.subfields(number).compactMap(\.first).filter { !$0.isEmpty }.map { text($0, number) }
    }
    func text(_ number: Int) -> String { text(record[number] ?? "", number) }
    var biography = Biography()
    // Last name, then first and middle names after a comma; without a comma, the only name of a person.
    let name = text(18)
    if isOwn, let names = record.subfields(ITLExport.ownField).first, names.count == 4 {
      (biography.firstName, biography.middleName) = (names[0], names[1])
      (biography.lastName, biography.otherName) = (names[2], names[3])
    } else if let comma = name.firstIndex(of: ",") {
      biography.lastName = String(name[..<comma])
      let given = name[comma...].dropFirst().split(separator: " ", maxSplits: 1)
      biography.firstName = given.first.map(String.init) ?? ""
      biography.middleName = given.count > 1 ? String(given[1]) : ""
    } else {
      biography.otherName = name
    }
    (biography.aliases, biography.placesOfBirth, biography.datesOfBirth) = (texts(19), texts(20), texts(22))
    (biography.gender, biography.race) = (text(24), text(25))
    (biography.height, biography.weight) = (text(27), text(29))
    (biography.eyeColor, biography.hairColor, biography.notes) = (text(31), text(32), text(56))
    return biography
  }

  private static func item(_ record: ITLRecord, isOwn: Bool) -> Item? {
    let submodality: Submodality? =
      switch record.type {
      case 14: finger(record)
      case 10: Submodality(wire: "Face2d")
      case 17: Submodality(wire: ["1": "RightIris", "2": "LeftIris"][record[3] ?? ""] ?? "BothIrises")
      default: nil
      }
    guard let submodality else { return nil }
    let image = image(record)
    // A finger or an eye that is missing has a record without a picture.
    guard image != nil || record.type == 14 || record[28] != nil && record.type == 17 else { return nil }
    return Item(
      submodality: submodality,
      annotation: (isOwn ? ownAnnotation(record, submodality) : nil) ?? annotation(record, submodality), image: image,
      day: record[5] ?? "", source: record[4] ?? "")
  }

  /// Returns the complete annotation that ``ITLExport`` stores beside the standard's fields.
  private static func ownAnnotation(_ record: ITLRecord, _ submodality: Submodality) -> Annotation? {
    let rows = record.subfields(ITLExport.ownField)
    guard let notes = rows.first?.first else { return nil }
    let conditions = submodality.parts.map { part in
      rows.dropFirst().first { $0.count == 2 && $0[0] == part.title }.flatMap { PartCondition(rawValue: $0[1]) }
        ?? .present
    }
    return Annotation(conditions: conditions, notes: notes)
  }

  /// Returns the submodality with the record's position and manner of capture.
  private static func finger(_ record: ITLRecord) -> Submodality? {
    guard let position = record[13].flatMap({ Int($0) }) else { return nil }
    let isRolled = record[3] == "1"
    return Submodality.known.first { known in
      guard known.modality == .finger, let own = ITLExport.position(known) else { return false }
      // A plain thumb has its own code, and in older files also that of the finger.
      let isSame = own == position || !isRolled && own == position + 10 && position == 1 || own == 12 && position == 6
      return isSame && known.wireName.hasSuffix("Rolled") == isRolled
    }
  }

  /// - Source: ANSI/NIST-ITL 1-2011, field 14.018: pairs of a position and XX or UP.
  private static func annotation(_ record: ITLRecord, _ submodality: Submodality) -> Annotation {
    let notesField = [14: 20, 10: 38, 17: 21][record.type] ?? 0
    var notes = record[notesField] ?? ""
    var bandaged: [String] = []
    // Bandages have no code: the export mentions them last in the notes.
    let parts = notes.split(separator: ";", omittingEmptySubsequences: false)
    if notes == "bandaged", submodality.parts.count == 1 { (notes, bandaged) = ("", [submodality.parts[0].title]) }
    if let last = parts.last, last.drop(while: { $0 == " " }).hasPrefix("bandaged: ") {
      bandaged = last.drop { $0 == " " }.dropFirst(10).split(separator: ",").map {
        String($0.drop { $0 == " " })
      }
      notes = parts.dropLast().joined(separator: ";")
    }
    let codes = record.subfields(18)
    let conditions = submodality.parts.map { part -> PartCondition in
      if bandaged.contains(part.title) { return .bandaged }
      let code = codes.first { $0.count == 2 && part.fingerPosition != nil && Int($0[0]) == part.fingerPosition }
      if record.type == 17, let code = record[28] { return code == "MA" ? .amputated : .unprintable }
      return record.type == 14 ? code.map { $0[1] == "XX" ? .amputated : .unprintable } ?? .present : .present
    }
    return Annotation(conditions: conditions, notes: notes)
  }

  private static func image(_ record: ITLRecord) -> ExchangedImage? {
    guard let bytes = record.data, !bytes.isEmpty, let compression = record[11].flatMap(compression),
      let width = record[6].flatMap({ Int($0) }), let height = record[7].flatMap({ Int($0) }), width > 0, height > 0
    else { return nil }
    let isColored = record.type == 14 ? record[12] == "24" : record[record.type == 10 ? 12 : 13] == "SRGB"
    let scale = record[9].flatMap { Int($0) }.flatMap { number in
      switch record[8] {
      case "1": number
      case "2": PictureHeader.perInch(perMetre: Double(number) * 100)
      default: nil
      }
    }
    let isMeasured = compression != .none
    let header = isMeasured ? PictureHeader(bytes) : nil
    return ExchangedImage(
      bytes: bytes, compression: compression, width: width, height: height,
      bitsPerPixel: header?.bitsPerPixel ?? (isColored ? 24 : 8), pixelsPerInch: scale)
  }

  /// - Source: ANSI/NIST-ITL 1-2011, table 15; older files say `WSQ`.
  private static func compression(_ code: String) -> ExchangedImage.Compression? {
    code == "WSQ" ? .wsq : ExchangedImage.Compression(rawValue: code)
  }
}
