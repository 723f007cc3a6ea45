import PluginAPI
import PluginText

/// An export of a person as an ANSI/NIST-ITL transaction: Type-1, Type-2 with the biography, then Type-14 for fingers,
/// Type-10 for faces and Type-17 for irises.
///
/// - Source: ANSI/NIST-ITL 1-2011 (NIST SP 500-290), sections 8.1, 8.2, 8.10, 8.14, 8.17.
struct ITLExport: Sendable {
  /// The sender and the recipient; texts of the deployer.
  struct Envelope: Sendable, Hashable {
    /// Field 1.004, the type of transaction.
    var transactionType = "BIO"
    /// Field 1.007.
    var destination = "UNKNOWN"
    /// Field 1.008, and `SRC` of every picture.
    var origin = "WORKBENCH"
    /// Field 1.009; names this transaction and no other.
    var controlNumber: String
    var created: Instant
    var coding = Coding.own

    /// - Source: ANSI/NIST-ITL 1-2011, annex B.1: the first record is written in 7-bit ASCII.
    func check() throws(ITLError) {
      for (field, text) in [
        ("type", transactionType), ("destination", destination), ("origin", origin), ("control number", controlNumber),
      ] where text.isEmpty || !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
        throw .badEnvelope(field: field, text: text)
      }
    }
  }

  /// The form of the biography in Type-2.
  enum Coding: Sendable, Hashable {
    /// The operator's texts, with user-defined fields for content that the standard has no room for.
    case own
    /// In the codes of the FBI's specification, without fields of our own.
    case ebts
  }

  /// The value of field 1.013: the domain of the file's user-defined fields.
  static let domain = "WORKBENCH"
  /// The number of the user-defined field for content that the standard has no room for.
  ///
  /// In Type-2 it holds the four names separately; in records of pictures the notes, then a part with its condition in
  /// each subfield.
  static let ownField = 200
  /// The largest length of a comment, in characters.
  private static let longestComment = 126

  let transaction: ITLTransaction
  /// The items left out, by index, with the reason.
  let leftOut: [Int: String]
  /// Fields of the biography that have no code, or were cut.
  let uncoded: [EBTSCodes.Uncoded]

  /// - Throws: ``ITLError/badEnvelope(field:text:)``, ``ITLError/tooMany(_:)``.
  init(_ biography: Biography, _ items: [ExchangedItem], _ envelope: Envelope) throws(ITLError) {
    try envelope.check()
    let coded =
      envelope.coding == .ebts ? EBTSCodes.coded(Self.plain(biography), name: Self.line(ITLName(biography).text)) : nil
    uncoded = coded?.leftOut ?? []
    var records = [coded.map { Self.descriptive($0.fields) } ?? Self.descriptive(biography)]
    var leftOut: [Int: String] = [:]
    for (index, item) in items.enumerated() {
      switch Self.picture(item, identifier: records.count, envelope) {
      case .success(let record): records.append(record)
      case .failure(let reason):
        let fingers = Self.missingFingers(item, from: records.count, envelope)
        records += fingers
        leftOut[index] =
          reason.message + (fingers.isEmpty ? "" : "; its missing fingers have their own records")
          + (item.annotation.notes.isEmpty ? "" : "; a folder or ZIP archive keeps its notes")
      }
    }
    guard records.count <= 99 else { throw .tooMany(records.count - 1) }
    transaction = ITLTransaction(records: [Self.first(records, envelope)] + records)
    self.leftOut = leftOut
  }

  private struct Unfit: Error {
    let message: String
  }

  private static func first(_ records: [ITLRecord], _ envelope: Envelope) -> ITLRecord {
    let contents = records.enumerated().map { ["\($1.type)", $0.padded(to: 2)] }
    // Readers that know no other characters than ASCII refuse a file that names a set of characters.
    let isASCII = records.allSatisfy { record in
      record.fields.allSatisfy { $0.subfields.allSatisfy { $0.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } } }
    }
    return ITLRecord(
      1,
      [
        ITLField(2, "0500"), ITLField(3, subfields: [["1", "\(records.count)"]] + contents),
        ITLField(4, envelope.transactionType), ITLField(5, day(envelope.created)),
        ITLField(7, envelope.destination), ITLField(8, envelope.origin), ITLField(9, envelope.controlNumber),
        ITLField(11, "00.00"), ITLField(12, "00.00"),
        ITLField(13, subfields: [envelope.coding == .ebts ? [EBTSCodes.domain] : [domain, "1.0"]]),
        ITLField(14, moment(envelope.created)),
      ] + (isASCII ? [] : [ITLField(15, subfields: [["003", "UTF-8"]])]))
  }

  /// Returns the biography under the field numbers of the FBI's electronic biometric transmission specification, but
  /// with the operator's own texts, hence the domain of our own.
  private static func descriptive(_ biography: Biography) -> ITLRecord {
    let fields: [(Int, [String])] = [
      (18, [ITLName(biography).text]), (19, biography.aliases), (20, biography.placesOfBirth),
      (22, biography.datesOfBirth), (24, [biography.gender]), (25, [biography.race]), (27, [biography.height]),
      (29, [biography.weight]), (31, [biography.eyeColor]), (32, [biography.hairColor]), (56, [biography.notes]),
    ]
    var record = ITLRecord(
      2,
      [ITLField(2, "00")]
        + fields.compactMap { number, texts in
          let texts = texts.map(plain).filter { !$0.isEmpty }
          return texts.isEmpty ? nil : ITLField(number, subfields: texts.map { [$0] })
        })
    let names = [biography.firstName, biography.middleName, biography.lastName, biography.otherName].map(plain)
    if names.contains(where: { !$0.isEmpty }) { record.fields.append(ITLField(ownField, subfields: [names])) }
    return record
  }

  /// Returns the Type-2 record of coded fields.
  private static func descriptive(_ fields: [(number: Int, texts: [String])]) -> ITLRecord {
    ITLRecord(2, [ITLField(2, "00")] + fields.map { ITLField($0.number, subfields: $0.texts.map { [$0] }) })
  }

  /// Returns a biography whose texts are single lines without control characters.
  private static func plain(_ biography: Biography) -> Biography {
    var plain = biography
    for path in [
      \Biography.gender, \.race, \.height, \.weight, \.eyeColor, \.hairColor, \.notes, \.firstName, \.middleName,
      \.lastName, \.otherName,
    ] { plain[keyPath: path] = line(biography[keyPath: path]) }
    for path in [\Biography.aliases, \.placesOfBirth, \.datesOfBirth] {
      plain[keyPath: path] = biography[keyPath: path].map(line)
    }
    return plain
  }

  /// Characters that break a text into lines and columns; the user-defined fields keep them.
  private static let breaks: Set<Unicode.Scalar> = ["\t", "\n", "\r"]

  /// Returns a text without control characters and field separators.
  private static func plain(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { $0.properties.generalCategory != .control || breaks.contains($0) }
    return String(String.UnicodeScalarView(kept))
  }

  /// Returns a text as a single plain line, as the standard requires for comments.
  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(plain(text).unicodeScalars.map { breaks.contains($0) ? " " : $0 }))
  }

  private static func picture(_ item: ExchangedItem, identifier: Int, _ envelope: Envelope) -> Result<ITLRecord, Unfit>
  {
    switch item.submodality.modality ?? item.modality {
    case .finger: finger(item, identifier, envelope)
    case .face: seen(item, identifier, envelope, type: 10)
    case .iris: seen(item, identifier, envelope, type: 17)
    case .ear, .vein, .retina, .foot, .other, nil:
      .failure(Unfit(message: "\(item.submodality.title) has no record type"))
    }
  }
}

// MARK: - Pictures

extension ITLExport {
  /// Returns the Type-14 record of a finger.
  ///
  /// A finger that is missing has a record without a picture.
  private static func finger(
    _ item: ExchangedItem, _ identifier: Int, _ envelope: Envelope
  ) -> Result<ITLRecord, Unfit> {
    guard let position = position(item.submodality) else {
      return .failure(Unfit(message: "unknown position of \(item.submodality.title)"))
    }
    let missing = zip(item.submodality.parts, item.annotation.conditions).compactMap { part, condition in
      condition.code.flatMap { code in part.fingerPosition.map { ["\($0)", code] } }
    }
    guard item.image != nil || missing.count == item.submodality.parts.count else {
      return .failure(Unfit(message: "no picture of \(item.submodality.title)"))
    }
    let isRolled = item.submodality.wireName.hasSuffix("Rolled")
    var fields = [
      ITLField(2, identifier.padded(to: 2)), ITLField(3, isRolled ? "1" : "0"), ITLField(4, envelope.origin),
      ITLField(5, day(item.captured)),
    ]
    // Fields about a picture are present only if there is one.
    if let image = item.image { fields += picture(image, depthField: 12) }
    fields.append(ITLField(13, "\(position)"))
    if !missing.isEmpty { fields.append(ITLField(18, subfields: missing)) }
    fields += comment(item, envelope, field: 20)
    return .success(ITLRecord(14, fields, data: item.image?.bytes))
  }

  /// Records of the fingers that are missing from a slap without a picture, each under its own position: a slap of which
  /// fingers are present has no record without a picture of them.
  private static func missingFingers(
    _ item: ExchangedItem, from first: Int, _ envelope: Envelope
  ) -> [ITLRecord] {
    guard item.submodality.modality == .finger, item.image == nil else { return [] }
    let missing = zip(item.submodality.parts, item.annotation.conditions).compactMap { part, condition in
      condition.code.flatMap { code in part.fingerPosition.map { (position: $0, code: code, condition) } }
    }
    return missing.enumerated().map { index, finger in
      // A plain thumb has its own position code.
      let position = [1: 11, 6: 12][finger.position] ?? finger.position
      var fields = [
        ITLField(2, (first + index).padded(to: 2)), ITLField(3, "0"), ITLField(4, envelope.origin),
        ITLField(5, day(item.captured)), ITLField(13, "\(position)"),
        ITLField(18, subfields: [["\(finger.position)", finger.code]]),
      ]
      if finger.2 == .bandaged { fields.append(ITLField(20, "bandaged")) }
      return ITLRecord(14, fields, data: nil)
    }
  }

  /// Returns field 17.028 of an item whose every eye is missing (MA), or present but not capturable (UC); nil
  /// otherwise.
  ///
  /// - Source: ANSI/NIST-ITL 1-2011, field 17.028 (`DME`).
  private static func missingEye(_ item: ExchangedItem) -> String? {
    let conditions = item.annotation.conditions
    guard !conditions.isEmpty, conditions.count == item.submodality.parts.count, !conditions.contains(.present) else {
      return nil
    }
    return conditions.allSatisfy { $0 == .amputated } ? "MA" : "UC"
  }

  /// Returns the Type-17 record of an eye that cannot be captured, without fields 6 to 13, which describe a picture.
  private static func missingEye(
    _ item: ExchangedItem, _ code: String, _ identifier: Int, _ envelope: Envelope
  ) -> ITLRecord {
    ITLRecord(
      17,
      [
        ITLField(2, identifier.padded(to: 2)), ITLField(3, eye(item.submodality)), ITLField(4, envelope.origin),
        ITLField(5, day(item.captured)),
      ] + comment(item, envelope, field: 21, between: ITLField(28, code)), data: nil)
  }

  /// Returns the Type-10 or Type-17 record of a face or an eye.
  private static func seen(
    _ item: ExchangedItem, _ identifier: Int, _ envelope: Envelope, type: Int
  ) -> Result<ITLRecord, Unfit> {
    guard let image = item.image else {
      if type == 17, let code = missingEye(item) { return .success(missingEye(item, code, identifier, envelope)) }
      return .failure(Unfit(message: "no picture of \(item.submodality.title)"))
    }
    var fields = [ITLField(2, identifier.padded(to: 2))]
    let space = image.bitsPerPixel < 24 ? "GRAY" : "SRGB"
    if type == 10 {
      fields += [ITLField(3, "FACE"), ITLField(4, envelope.origin), ITLField(5, day(item.captured))]
      // A face record states how it was acquired; 0 is an unknown profile.
      fields += picture(image, depthField: nil) + [ITLField(12, space), ITLField(13, "0")]
      let pose = FacePose(word: item.shown) ?? FacePose(word: item.submodality.wireName)
      if let pose { fields.append(ITLField(20, pose.rawValue)) }
      fields += comment(item, envelope, field: 38)
    } else {
      fields += [ITLField(3, eye(item.submodality)), ITLField(4, envelope.origin), ITLField(5, day(item.captured))]
      fields += picture(image, depthField: 12) + [ITLField(13, space)]
      fields += comment(item, envelope, field: 21)
    }
    return .success(ITLRecord(type, fields, data: image.bytes))
  }

  /// Fields 6 to 11, the same in all three types, and the depth where the type has a field for it.
  private static func picture(_ image: ExchangedImage, depthField: Int?) -> [ITLField] {
    let scale = image.pixelsPerInch
    return [
      ITLField(6, "\(image.width)"), ITLField(7, "\(image.height)"), ITLField(8, scale == nil ? "0" : "1"),
      ITLField(9, "\(scale ?? 1)"), ITLField(10, "\(scale ?? 1)"), ITLField(11, image.compression.rawValue),
    ] + (depthField.map { [ITLField($0, "\(image.bitsPerPixel)")] } ?? [])
  }

  /// Returns the friction ridge position of table 8; plain thumbs have codes of their own.
  static func position(_ submodality: Submodality) -> Int? {
    switch submodality.wireName {
    case "RightThumbFlat": 11
    case "LeftThumbFlat": 12
    case "RightSlap": 13
    case "LeftSlap": 14
    case "ThumbsSlap": 15
    case "UnknownFlat", "UnknownRolled": 0
    default: submodality.modality == .finger && submodality.parts.count == 1 ? submodality.parts[0].fingerPosition : nil
    }
  }

  /// Returns the eye's code: 1 is the right eye of the person, 2 the left, 0 both or unknown.
  private static func eye(_ submodality: Submodality) -> String {
    ["RightIris": "1", "LeftIris": "2"][submodality.wireName] ?? "0"
  }

  /// Returns the notes for all readers, including bandaged parts, which the codes call unprintable, and the complete
  /// notes in the user-defined field.
  ///
  /// - Parameter between: A field whose number lies between those of the two.
  private static func comment(
    _ item: ExchangedItem, _ envelope: Envelope, field: Int, between: ITLField? = nil
  ) -> [ITLField] {
    let conditions = zip(item.submodality.parts, item.annotation.conditions).filter { $1 != .present }
    let notes = plain(item.annotation.notes)
    let middle = between.map { [$0] } ?? []
    if conditions.isEmpty, notes.isEmpty { return middle }
    let bandaged = conditions.filter { $1 == .bandaged }.map(\.0.title)
    let bandages = bandaged.isEmpty ? "" : "bandaged: \(bandaged.joined(separator: ", "))"
    let comment = [notes, bandages].filter { !$0.isEmpty }.joined(separator: "; ")
    let own = [[notes]] + conditions.map { [$0.title, $1.rawValue] }
    // The standard counts characters of Unicode, and a letter with its marks is several.
    let short = String(String.UnicodeScalarView(line(comment).unicodeScalars.prefix(longestComment)))
    return (comment.isEmpty ? [] : [ITLField(field, short)])
      + middle + (envelope.coding == .own ? [ITLField(ownField, subfields: own)] : [])
  }

  /// Returns the date as `yyyymmdd` in UTC.
  private static func day(_ instant: Instant) -> String { String(instant.description.prefix(10).filter { $0 != "-" }) }

  /// Returns the time as `yyyymmddhhmmssZ` in UTC.
  private static func moment(_ instant: Instant) -> String {
    String(instant.description.prefix(19).filter { $0.isNumber }) + "Z"
  }
}

/// A name in transaction form: last, first and middle name, or the other name.
private struct ITLName {
  let text: String

  init(_ biography: Biography) {
    let given = [biography.firstName, biography.middleName].filter { !$0.isEmpty }.joined(separator: " ")
    let parts = [biography.lastName, given].filter { !$0.isEmpty }
    text = parts.isEmpty ? biography.otherName : parts.joined(separator: ",")
  }
}

/// An item of a person in the form of an export.
struct ExchangedItem: Sendable, Hashable {
  var submodality: Submodality
  var annotation: Annotation
  /// The picture; nil if there is none, or none that the standard supports.
  var image: ExchangedImage?
  /// The time of reception.
  var captured: Instant
  /// The modality, if the submodality is a vendor-specific word that does not imply it.
  var modality: Modality? = nil
  /// The sensor's word for the subject of the picture; empty if it gave none.
  var shown = ""
}

/// The pose of a face, by its code in field 10.020.
///
/// - Source: ANSI/NIST-ITL 1-2011, field 10.020 (`POS`), which is optional.
private enum FacePose: String, Sendable {
  case frontal = "F"
  case rightProfile = "R"
  case leftProfile = "L"
  case angled = "A"

  /// Creates the pose that a sensor's word implies; nil if it implies none, as `Face2d` does.
  init?(word: String) {
    let letters = Array(Submodality.key(word).utf8)
    func says(_ part: String) -> Bool { ByteSearch.contains(part.utf8, in: letters) }
    if says("quarter") || says("angled") || says("halfprofile") {
      self = .angled
    } else if says("profile") {
      // The visible side of the face must be stated.
      let (left, right) = (says("left"), says("right"))
      guard left != right else { return nil }
      self = left ? .leftProfile : .rightProfile
    } else if says("frontal") {
      self = .frontal
    } else {
      return nil
    }
  }
}
