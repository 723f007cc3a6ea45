/// Decodes HTML's named and numbered characters, which databases leave in names: `&rarr;`, `&#946;`.
///
/// - Source: HTML 4.01, section 24 (character entity references).
enum NamedCharacters {
  /// Returns a text with its character references decoded; unknown ones and bare ampersands are kept.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let first = rest.popFirst() {
      if first == "&", let end = rest.prefix(longest + 1).firstIndex(of: ";"), let scalar = scalar(rest[..<end]) {
        result.append(scalar)
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(first)
      }
    }
    return String(result)
  }

  private static let longest = 8

  /// Returns the character of a name or number; nil if there is none, or if it cannot be shown.
  private static func scalar(_ name: Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard name.first == "#" else { return named[String(name)] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = UInt32(String(isHexadecimal ? digits.dropFirst() : digits), radix: isHexadecimal ? 16 : 10)
    return number.flatMap { $0 < 0x20 ? nil : Unicode.Scalar($0) }
  }

  private static let named: [String: Unicode.Scalar] = {
    var named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    // The names in the order of their characters, starting from a given one.
    let blocks: [(first: UInt32, names: String)] = [
      (
        0xA0,
        """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
        Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
        ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
        uuml yacute thorn yuml
        """
      ),
      (0x391, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"),
      (0x3A3, "Sigma Tau Upsilon Phi Chi Psi Omega"),
      (0x3B1, "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma"),
      (0x3C4, "tau upsilon phi chi psi omega"), (0x2190, "larr uarr rarr darr harr"),
      (0x21D0, "lArr uArr rArr dArr hArr"), (0x2013, "ndash mdash"), (0x2018, "lsquo rsquo"), (0x201C, "ldquo rdquo"),
      (0x2022, "bull"), (0x2026, "hellip"), (0x2032, "prime Prime"), (0x2212, "minus"), (0x221E, "infin"),
      (0x2248, "asymp"), (0x2260, "ne equiv"), (0x2264, "le ge"),
    ]
    for (first, names) in blocks {
      for (offset, name) in names.split(separator: " ").enumerated() {
        named[String(name)] = Unicode.Scalar(first + UInt32(offset))
      }
    }
    return named
  }()
}
