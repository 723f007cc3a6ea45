/// The codes of the FBI's specification for a person's details, in both directions.
///
/// - Source: FBI CJIS, "Electronic Biometric Transmission Specification" (EBTS) 10.0, appendix C: fields 2.018 to 2.032.
enum EBTSCodes {
  /// The longest name, and the longest comment, in characters.
  private static let (longestName, longestComment) = (30, 50)

  /// The value of field 1.013 in a transaction whose Type-2 uses these codes.
  static let domain = "NORAM"

  private typealias Codes = [(word: String, code: String)]

  private static let genders: Codes = [("Male", "M"), ("Female", "F"), ("Unknown", "X")]
  private static let races: Codes = [
    ("Asian", "A"), ("Black", "B"), ("Native American", "I"), ("Caucasian", "W"), ("Latino", "W"), ("Unknown", "U"),
  ]
  private static let eyeColors: Codes = [
    ("Black", "BLK"), ("Blue", "BLU"), ("Brown", "BRO"), ("Gray", "GRY"), ("Green", "GRN"), ("Hazel", "HAZ"),
    ("Maroon", "MAR"), ("Multicolored", "MUL"), ("Pink", "PNK"), ("Unknown", "XXX"),
  ]
  private static let hairColors: Codes = [
    ("Bald", "BAL"), ("Black", "BLK"), ("Blonde", "BLN"), ("Blue", "BLU"), ("Brown", "BRO"), ("Gray", "GRY"),
    ("Green", "GRN"), ("Orange", "ONG"), ("Pink", "PNK"), ("Purple", "PLE"), ("Red", "RED"), ("Sandy", "SDY"),
    ("White", "WHI"), ("Unknown", "XXX"),
  ]

  /// A field of a biography that is not in Type-2 as it was stored.
  struct Uncoded: Sendable, Equatable {
    var field: String
    /// The form in which the field would be whole.
    var expected: String
    /// True if the text is present and was truncated; false if it is left out, as it has no code.
    var isCut = false
  }

  /// The fields of Type-2, and the texts without a code.
  struct Coded: Sendable {
    /// By number, without empty ones.
    var fields: [(number: Int, texts: [String])] = []
    /// The fields that are left out or cut.
    var leftOut: [Uncoded] = []

    fileprivate mutating func add(
      _ number: Int, _ field: String, _ texts: [String], expecting expected: String = "", _ code: (String) -> String?
    ) {
      let texts = texts.filter { !$0.isEmpty }
      let codes = texts.compactMap(code)
      if !codes.isEmpty { fields.append((number, codes)) }
      if codes.count < texts.count { leftOut.append(Uncoded(field: field, expected: expected)) }
    }

    /// Adds texts, truncated to the number of characters that the specification allows.
    fileprivate mutating func add(_ number: Int, _ field: String, _ texts: [String], atMost count: Int) {
      add(number, field, texts) { EBTSCodes.shortened($0, count) }
      if texts.contains(where: { $0.unicodeScalars.count > count }) {
        leftOut.append(Uncoded(field: field, expected: "at most \(count) characters", isCut: true))
      }
    }
  }

  /// Returns the fields of a biography.
  ///
  /// - Parameter name: Last name, comma, first and middle names.
  static func coded(_ biography: Biography, name: String) -> Coded {
    var coded = Coded()
    coded.add(18, "name", [name.uppercased()], atMost: longestName)
    coded.add(19, "alias", biography.aliases.map { $0.uppercased() }, atMost: longestName)
    coded.add(20, "place of birth", biography.placesOfBirth, expecting: "a code of two letters, such as 'CA'") {
      place in
      place.utf8.count == 2 && place.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } ? place.uppercased() : nil
    }
    coded.add(22, "date of birth", biography.datesOfBirth, expecting: "a day as yyyy-mm-dd") { date in
      CalendarDay(date).map { $0.text.filter(\.isNumber) }
    }
    for (number, field, text, codes) in [
      (24, "gender", biography.gender, genders), (25, "race", biography.race, races),
    ] { coded.add(number, field, [text], expecting: expectation(codes)) { code($0, codes) } }
    coded.add(27, "height", [biography.height], expecting: "a height as 5'9\" or 175 cm", height)
    coded.add(29, "weight", [biography.weight], expecting: "a weight as 150 lb or 68 kg", weight)
    for (number, field, text, codes) in [
      (31, "eye color", biography.eyeColor, eyeColors), (32, "hair color", biography.hairColor, hairColors),
    ] { coded.add(number, field, [text], expecting: expectation(codes)) { code($0, codes) } }
    coded.add(56, "notes", [biography.notes], atMost: longestComment)
    return coded
  }

  /// Returns the form's value for a code; other texts are returned unchanged.
  ///
  /// - Parameter number: The number of the field in Type-2.
  static func decoded(_ text: String, field number: Int) -> String {
    switch number {
    case 22:
      guard text.utf8.count == 8 else { return text }
      let digits = Array(text)
      return CalendarDay("\(String(digits[..<4]))-\(String(digits[4..<6]))-\(String(digits[6...]))")?.text ?? text
    case 24: return word(text, genders)
    case 25: return word(text, races)
    case 27:
      guard let number = Int(text), (400...711).contains(number), number % 100 < 12 else { return text }
      return "\(number / 100)'\(number % 100)\""
    case 29: return Int(text).map { $0 > 0 ? "\($0) lb" : "" } ?? text
    case 31: return word(text, eyeColors)
    case 32: return word(text, hairColors)
    default: return text
    }
  }

  private static func code(_ text: String, _ codes: Codes) -> String? {
    codes.first { $0.word.lowercased() == text.lowercased() || $0.code == text }?.code
  }

  private static func word(_ text: String, _ codes: Codes) -> String {
    codes.first { $0.code == text }?.word ?? text
  }

  private static func expectation(_ codes: Codes) -> String {
    "one of " + codes.map { "'\($0.word)'" }.joined(separator: ", ")
  }

  fileprivate static func shortened(_ text: String, _ count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }
}

// MARK: - Measures

extension EBTSCodes {
  /// Returns feet and two digits of inches: 400 for four feet and less, 711 for 7 feet 11 inches and more.
  private static func height(_ text: String) -> String? {
    let parts = measures(text)
    let inches: Double
    switch (parts.first?.unit, parts.count) {
    case ("'", 1), ("ft", 1), ("feet", 1), ("foot", 1): inches = 12 * parts[0].number
    case ("'", 2), ("ft", 2), ("feet", 2), ("foot", 2):
      guard ["\"", "''", "in", "inch", "inches", ""].contains(parts[1].unit), parts[1].number < 12 else { return nil }
      inches = 12 * parts[0].number + parts[1].number
    case ("cm", 1): inches = parts[0].number / 2.54
    case ("m", 1): inches = parts[0].number * 100 / 2.54
    case ("", 1):
      // The code itself.
      guard let code = Int(text), (400...711).contains(code), code % 100 < 12 else { return nil }
      return "\(code)"
    default: return nil
    }
    guard (1...1200).contains(inches) else { return nil }
    let whole = max(48, min(95, Int(inches.rounded())))
    return "\(whole / 12)\((whole % 12).padded(to: 2))"
  }

  /// Returns three digits of pounds, from 050 to 499.
  private static func weight(_ text: String) -> String? {
    let parts = measures(text)
    guard let part = parts.first, parts.count == 1 else { return nil }
    let pounds: Double
    switch part.unit {
    case "lb", "lbs", "pound", "pounds": pounds = part.number
    case "kg", "kilograms": pounds = part.number / 0.453_592_37
    default: return nil
    }
    guard (1...5000).contains(pounds) else { return nil }
    return max(50, min(499, Int(pounds.rounded()))).padded(to: 3)
  }

  /// Parses numbers followed by units, as in 5'9" or 175 cm; empty for any other text.
  private static func measures(_ text: String) -> [(number: Double, unit: String)] {
    var parts: [(number: Double, unit: String)] = []
    var remaining = Substring(String(text.lowercased().map { $0 == "′" ? "'" : $0 == "″" ? "\"" : $0 }))
    while true {
      remaining = remaining.drop { $0 == " " }
      if remaining.isEmpty { return parts }
      let digits = remaining.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      guard let number = Double(String(digits)) else { return [] }
      remaining = remaining.dropFirst(digits.count).drop { $0 == " " }
      let unit = remaining.prefix { !($0.isNumber || $0 == " ") }
      remaining = remaining.dropFirst(unit.count)
      parts.append((number, String(unit.reversed().drop { $0 == "." }.reversed())))
    }
  }
}
