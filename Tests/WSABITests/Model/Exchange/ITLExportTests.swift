import PluginAPI
import Testing

@testable import WSABI

@Suite struct ITLExportTests {
  private let envelope = ITLExport.Envelope(
    origin: "STATION7", controlNumber: "T-1", created: Instant(seconds: 1_763_712_000))

  private func item(
    _ word: String, _ image: ExchangedImage?, conditions: [PartCondition]? = nil, notes: String = ""
  ) -> ExchangedItem {
    let submodality = Submodality(wire: word)
    return ExchangedItem(
      submodality: submodality,
      annotation: Annotation(
        conditions: conditions ?? submodality.parts.map { _ in .present }, notes: notes),
      image: image, captured: Instant(seconds: 1_763_712_000))
  }

  /// A picture whose bytes are all separators of records and fields.
  private let image = ExchangedImage(
    bytes: [28, 29, 30, 31, 58, 0, 255, 28], compression: .png, width: 400, height: 500, bitsPerPixel: 8,
    pixelsPerInch: 500)

  private var colored: ExchangedImage {
    var colored = image
    colored.bitsPerPixel = 24
    return colored
  }

  /// The fields that every record with a picture of ``image`` has.
  private static let ofPicture = [
    "006": "400", "007": "500", "008": "1", "009": "500", "010": "500", "011": "PNG",
  ]

  /// Returns the fields that every record of a finger, a face or an eye has, with others added.
  private func record(_ identifier: Int, _ others: [String: String]) -> [String: String] {
    others.merging(["002": "0\(identifier)", "004": "STATION7", "005": "20251121"]) { first, _ in first }
  }

  @Test func `an independent reader finds every field of a complete person`() throws {
    var biography = Biography()
    biography.firstName = "Zoë"
    biography.lastName = "O'Neil"
    biography.aliases = ["Zed", "Z\u{1C}\u{1D}\u{1E}\u{1F}!"]
    biography.datesOfBirth = ["1980-02-29"]
    let export = try ITLExport(
      biography,
      [
        item("RightThumbRolled", image),
        item("LeftSlap", image, conditions: [.present, .amputated, .bandaged, .present]),
        item("Face2d", colored), item("RightIris", image), item("Voice", nil), item("LeftIndexFlat", nil),
        item("RightLittleFlat", nil, conditions: [.amputated]),
      ], envelope)
    #expect(export.leftOut.keys.sorted() == [4, 5])
    let records = try PlainITLReader(export.transaction.encoded()).records
    #expect(records.map(\.type) == ["1", "2", "14", "14", "10", "17", "14"])
    let contents = "2\u{1F}00\u{1E}14\u{1F}01\u{1E}14\u{1F}02\u{1E}10\u{1F}03\u{1E}17\u{1F}04\u{1E}14\u{1F}05"
    let expected: [[String: String]] = [
      [
        "002": "0500", "003": "1\u{1F}6\u{1E}" + contents, "004": "BIO", "005": "20251121", "007": "UNKNOWN",
        "008": "STATION7", "009": "T-1", "011": "00.00", "012": "00.00", "013": "WORKBENCH\u{1F}1.0",
        "014": "20251121080000Z", "015": "003\u{1F}UTF-8",
      ],
      [
        "002": "00", "018": "O'Neil,Zoë", "019": "Zed\u{1E}Z!", "022": "1980-02-29",
        "200": "Zoë\u{1F}\u{1F}O'Neil\u{1F}",
      ],
      record(1, Self.ofPicture.merging(["003": "1", "012": "8", "013": "1"]) { $1 }),
      record(
        2,
        Self.ofPicture.merging([
          "003": "0", "012": "8", "013": "14", "018": "8\u{1F}XX\u{1E}9\u{1F}UP", "020": "bandaged: Ring",
          "200": "\u{1E}Middle\u{1F}amputated\u{1E}Ring\u{1F}bandaged",
        ]) { $1 }),
      record(3, Self.ofPicture.merging(["003": "FACE", "012": "SRGB", "013": "0"]) { $1 }),
      record(4, Self.ofPicture.merging(["003": "1", "012": "8", "013": "GRAY"]) { $1 }),
      // A missing finger has neither a picture nor fields that describe one.
      record(5, ["003": "0", "013": "5", "018": "5\u{1F}XX", "200": "\u{1E}Right Little\u{1F}amputated"]),
    ]
    for (record, expected) in zip(records, expected) { #expect(record.differences(from: expected) == []) }
    #expect(records.map(\.image) == [[], [], image.bytes, image.bytes, image.bytes, image.bytes, []])
  }

  @Test func `a character set is named only for text that is not ASCII`() throws {
    var biography = Biography()
    (biography.firstName, biography.lastName) = ("Zoe", "O'Neil")
    let items = [
      item("RightThumbRolled", image),
      item("LeftSlap", image, conditions: [.present, .amputated, .bandaged, .present]),
    ]
    func named(_ biography: Biography, _ items: [ExchangedItem]) throws -> String? {
      try PlainITLReader(try ITLExport(biography, items, envelope).transaction.encoded()).records.first?.texts["1.015"]
    }
    #expect(try named(biography, items) == nil)
    #expect(try named(biography, items + [item("Face2d", image, notes: "naïve")]) == "003\u{1F}UTF-8")
    biography.firstName = "Zoë"
    #expect(try named(biography, items) == "003\u{1F}UTF-8")
  }

  @Test func `with EBTS codes, the biography is coded and no user-defined fields are written`() throws {
    var biography = Biography()
    (biography.firstName, biography.middleName, biography.lastName) = ("Ada", "Augusta", "Lovelace")
    (biography.aliases, biography.datesOfBirth) = (["Countess"], ["1815-12-10"])
    biography.placesOfBirth = ["London", "ca"]
    (biography.gender, biography.race) = ("Female", "Caucasian")
    (biography.height, biography.weight) = ("5'9\"", "68 kg")
    (biography.eyeColor, biography.hairColor, biography.notes) = ("Blue", "Blonde", "a\nnote")
    var coded = envelope
    coded.coding = .ebts
    let export = try ITLExport(
      biography, [item("LeftSlap", image, conditions: [.present, .amputated, .present, .present], notes: "dry")], coded)
    #expect(export.uncoded.map(\.field) == ["place of birth"])
    var long = biography
    long.notes = String(repeating: "n", count: 51)
    long.aliases.append(String(repeating: "a", count: 31))
    let cut = try ITLExport(long, [], coded).uncoded.filter(\.isCut)
    #expect(cut.map(\.field) == ["alias", "notes"])
    #expect(cut.map(\.expected) == ["at most 30 characters", "at most 50 characters"])
    let records = try PlainITLReader(export.transaction.encoded()).records
    let type2 = [
      "002": "00", "018": "LOVELACE,ADA AUGUSTA", "019": "COUNTESS", "020": "CA", "022": "18151210", "024": "F",
      "025": "W", "027": "509", "029": "150", "031": "BLU", "032": "BLN", "056": "a note",
    ]
    #expect(records[1].differences(from: type2) == [])
    #expect(records[0].texts["1.013"] == "NORAM" && records[2].texts["14.020"] == "dry")
    #expect(records.allSatisfy { !$0.order.contains { $0.hasSuffix(".200") } })
    let read = ITLImport(try ITLTransaction(export.transaction.encoded()))
    #expect(read.biography.gender == "Female" && read.biography.race == "Caucasian")
    #expect(read.biography.datesOfBirth == ["1815-12-10"] && read.biography.eyeColor == "Blue")
    #expect(
      read.biography.height == "5'9\"" && read.biography.weight == "150 lb" && read.biography.hairColor == "Blonde")
    #expect(read.items.first?.annotation.notes == "dry")
  }

  @Test(
    arguments: [
      ("5'9\"", "509"), ("5' 9", "509"), ("5′11″", "511"), ("6 ft", "600"), ("5 ft 9 in.", "509"), ("175 cm", "509"),
      ("1.75m", "509"), ("509", "509"), ("3'0\"", "400"), ("9'0\"", "711"), ("tall", nil), ("175", nil),
      ("5'13\"", nil),
      ("5'9\" or so", nil), ("-1 cm", nil),
    ] as [(String, String?)])
  func `a height is coded in feet and inches, and omitted without a unit`(_ text: String, _ code: String?) {
    var biography = Biography()
    biography.height = text
    let coded = EBTSCodes.coded(biography, name: "")
    #expect(coded.fields.first?.texts.first == code)
    #expect(coded.leftOut.map(\.field) == (code == nil ? ["height"] : []))
  }

  @Test(
    arguments: [
      ("150 lb", "150"), ("68 kg", "150"), ("99lbs.", "099"), ("20 kg", "050"), ("900 lb", "499"), ("150", nil),
      ("heavy", nil),
    ] as [(String, String?)])
  func `a weight is coded in pounds`(_ text: String, _ code: String?) {
    var biography = Biography()
    biography.weight = text
    #expect(EBTSCodes.coded(biography, name: "").fields.first?.texts.first == code)
  }

  @Test func `missing fingers and eyes without a picture are exported with the standard's codes`() throws {
    let export = try ITLExport(
      Biography(),
      [
        item("LeftSlap", nil, conditions: [.present, .amputated, .bandaged, .present], notes: "left"),
        item("ThumbsSlap", nil, conditions: [.unprintable, .present]),
        item("RightIris", nil, conditions: [.amputated], notes: "glass eye"),
        item("BothIrises", nil, conditions: [.amputated, .bandaged]),
        item("LeftIris", nil, notes: "later"), item("BothIrises", nil, conditions: [.amputated, .present]),
        item("Face2d", nil, conditions: [.bandaged], notes: "mask"),
      ], envelope)
    #expect(export.leftOut.keys.sorted() == [0, 1, 4, 5, 6])
    #expect(export.leftOut[0]?.contains("their own records") == true)
    #expect(export.leftOut[6]?.contains("ZIP archive keeps its notes") == true)
    let records = try PlainITLReader(export.transaction.encoded()).records.dropFirst(2)
    #expect(records.map(\.type) == ["14", "14", "14", "17", "17"])
    #expect(records.map { $0.texts["\($0.type).002"] } == ["01", "02", "03", "04", "05"])
    let expected = [
      record(1, ["003": "0", "013": "8", "018": "8\u{1F}XX"]),
      record(2, ["003": "0", "013": "9", "018": "9\u{1F}UP", "020": "bandaged"]),
      record(3, ["003": "0", "013": "12", "018": "6\u{1F}UP"]),
      record(
        4, ["003": "1", "021": "glass eye", "028": "MA", "200": "glass eye\u{1E}Right Iris\u{1F}amputated"]),
      record(
        5,
        [
          "003": "0", "021": "bandaged: Right", "028": "UC",
          "200": "\u{1E}Left\u{1F}amputated\u{1E}Right\u{1F}bandaged",
        ]),
    ]
    for (record, expected) in zip(records, expected) { #expect(record.differences(from: expected) == []) }
    for record in records {
      #expect(record.image.isEmpty)
      #expect(record.order.compactMap { Int($0.suffix(3)) }.allSatisfy { !(6...12).contains($0) })
      let numbers = record.order.compactMap { Int($0.suffix(3)) }
      #expect(numbers == numbers.sorted())
    }
    let read = ITLImport(try ITLTransaction(export.transaction.encoded())).items
    #expect(
      read.map(\.submodality.wireName) == [
        "LeftMiddleFlat", "LeftRingFlat", "LeftThumbFlat", "RightIris", "BothIrises",
      ])
    #expect(
      read.map(\.annotation.conditions) == [
        [.amputated], [.bandaged], [.unprintable], [.amputated], [.amputated, .bandaged],
      ])
    #expect(read[3].annotation.notes == "glass eye" && read[1].annotation.notes.isEmpty)
  }

  @Test(
    arguments: [
      ("Face2d", "", nil), ("frontalFace", "", "F"), ("Face2d", "Right-Profile", "R"), ("LeftProfileFace", "", "L"),
      ("Face2d", "three quarter left", "A"), ("Profile", "", nil), ("Face3d", "", nil),
      ("LeftSide", "Frontal_Face", "F"),
    ] as [(String, String, String?)])
  func `the pose of a face comes from its sensor's name, and is omitted if unknown`(
    _ word: String, _ shown: String, _ code: String?
  ) throws {
    var face = item(word, image)
    (face.modality, face.shown) = (.face, shown)
    let record = try #require(
      try PlainITLReader(try ITLExport(Biography(), [face], envelope).transaction.encoded()).records.last)
    #expect(record.type == "10" && record.texts["10.020"] == code && record.image == image.bytes)
  }

  @Test func `exported comments are single lines without control characters`() throws {
    let controls = String(String.UnicodeScalarView((0...31).compactMap(Unicode.Scalar.init) + ["\u{7F}", "\u{85}"]))
    let notes = "one\ntwo" + controls + "three"
    var biography = Biography()
    biography.notes = notes
    for (word, field) in [("RightIndexFlat", "14.020"), ("Face2d", "10.038"), ("RightIris", "17.021")] {
      let export = try ITLExport(biography, [item(word, image, notes: notes)], envelope)
      let records = try PlainITLReader(export.transaction.encoded()).records
      #expect(records.last?.texts[field] == "one two   three")
      let read = ITLImport(try ITLTransaction(export.transaction.encoded()))
      #expect(read.items.first?.annotation.notes == "one\ntwo\t\n\rthree")
      #expect(read.biography.notes == "one\ntwo\t\n\rthree")
    }
  }

  @Test func `long comments are truncated to the standard's limit, and an import restores the whole text`() throws {
    let long = String(repeating: "e\u{301}", count: 150) + "\u{1E}; bandaged: Middle"
    for word in ["LeftSlap", "Face2d", "RightIris"] {
      let conditions = Submodality(wire: word).parts.map { _ in PartCondition.bandaged }
      let export = try ITLExport(Biography(), [item(word, image, conditions: conditions, notes: long)], envelope)
      let record = try #require(try PlainITLReader(export.transaction.encoded()).records.last)
      let field = ["14": "14.020", "10": "10.038", "17": "17.021"][record.type] ?? ""
      #expect(record.texts[field]?.unicodeScalars.count == 126)
      let read = try #require(ITLImport(try ITLTransaction(export.transaction.encoded())).items.first)
      #expect(read.annotation == Annotation(conditions: conditions, notes: long.filter { $0 != "\u{1E}" }))
    }
    // Text that looks like that of a bandage is still text.
    let export = try ITLExport(Biography(), [item("LeftSlap", image, notes: "dry; bandaged: Middle")], envelope)
    let read = try #require(ITLImport(try ITLTransaction(export.transaction.encoded())).items.first)
    #expect(
      read.annotation.conditions.allSatisfy { $0 == .present } && read.annotation.notes == "dry; bandaged: Middle")
  }

  @Test(arguments: ["", "Zürich", "a\u{1D}b", "a\n"])
  func `the first record rejects empty text and unsupported characters`(_ text: String) {
    var (origin, destination, number) = (envelope, envelope, envelope)
    (origin.origin, destination.destination, number.controlNumber) = (text, text, text)
    for (field, envelope) in [("origin", origin), ("destination", destination), ("control number", number)] {
      #expect(throws: ITLError.badEnvelope(field: field, text: text)) { try ITLExport(Biography(), [], envelope) }
    }
  }

  @Test func `user-defined fields of other programs are ignored`() throws {
    let export = try ITLExport(Biography(), [item("LeftSlap", image, notes: "ours")], envelope)
    var transaction = export.transaction
    let place = try #require(transaction.records[0].fields.firstIndex { $0.number == 13 })
    transaction.records[0].fields[place] = ITLField(13, subfields: [["NORAM", ""]])
    let last = transaction.records.count - 1
    let field = try #require(transaction.records[last].fields.firstIndex { $0.number == 200 })
    transaction.records[last].fields[field] = ITLField(200, "theirs")
    #expect(ITLImport(transaction).items.first?.annotation.notes == "ours")
  }

  @Test func `an exported transaction is read back unchanged`() throws {
    let export = try ITLExport(
      Biography(), [item("BothIrises", image), item("ThumbsSlap", image, notes: "dry")], envelope)
    let again = try ITLTransaction(export.transaction.encoded())
    #expect(again.records.map(\.type) == export.transaction.records.map(\.type))
    #expect(again.records.map(\.data) == export.transaction.records.map(\.data))
    #expect(again.records.map(\.fields) == export.transaction.records.map(\.fields))
  }

  @Test func `a record's length includes its own digits, at every size`() throws {
    for size in [
      0, 1, 5, 30, 60, 61, 62, 63, 64, 65, 66, 960, 961, 962, 963, 964, 965, 966, 967, 968, 969, 970, 99_990,
    ] {
      var image = image
      image.bytes = Array(repeating: 28, count: size)
      let bytes = try ITLExport(Biography(), [item("Face2d", image)], envelope).transaction.encoded()
      #expect(try PlainITLReader(bytes).records.last?.image.count == size)
    }
  }

  @Test func `an export with too many pictures is refused`() {
    #expect(throws: ITLError.tooMany(99)) {
      try ITLExport(Biography(), Array(repeating: item("Face2d", image), count: 99), envelope)
    }
  }

  @Test func `truncated files are refused, and changed files never crash the reader`() throws {
    let bytes = try ITLExport(Biography(), [item("Face2d", image), item("LeftSlap", image)], envelope).transaction
      .encoded()
    for length in 0..<bytes.count {
      #expect(throws: ITLError.self) { try ITLTransaction(Array(bytes.prefix(length))) }
    }
    var random: UInt64 = 88_172_645_463_325_252
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0..<3 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        changed[Int(random % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random >> 32)
      }
      _ = try? ITLTransaction(changed)
    }
  }
}
