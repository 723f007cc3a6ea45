/// Documents and their expected events; see ``JSONTrace``.
///
/// - Source: RFC 8259, section by section; UTF-8 as in RFC 3629, section 4.
enum JSONCases {
  struct Case: Sendable, CustomStringConvertible {
    var document: [UInt8]
    var trace: String
    var description: String { String(decoding: document, as: UTF8.self).debugDescription }

    init(_ text: String, _ trace: String) { self.init(bytes: Array(text.utf8), trace) }

    init(bytes: [UInt8], _ trace: String) {
      document = bytes
      self.trace = trace
    }
  }

  static let all = structure + literals + numbers + texts + escapes + surrogates + encodings + cut

  static let structure: [Case] = [
    Case("{}", "{ }"), Case("[]", "[ ]"), Case(" \t\r\n[ \t\r\n] \t\r\n", "[ ]"), Case("[[],{}]", "[ [ ] { } ]"),
    Case("{\"a\":{\"b\":[1]}}", "{ k\"a\" { k\"b\" [ 1 ] } }"), Case("{\"\":0}", "{ k\"\" 0 }"),
    Case("{\"a\":1,\"a\":2}", "{ k\"a\" 1 k\"a\" 2 }"), Case("[1,2,3]", "[ 1 2 3 ]"),
    Case("[1,]", "[ 1 json.syntax@3"), Case("[,1]", "[ json.syntax@1"), Case("[1,,2]", "[ 1 json.syntax@3"),
    Case("[1 2]", "[ 1 json.syntax@3"), Case("[\"a\"\"b\"]", "[ \"a\" json.syntax@4"),
    Case("{\"a\" 1}", "{ k\"a\" json.syntax@5"), Case("{\"a\":}", "{ k\"a\" json.syntax@5"),
    Case("{\"a\":1,}", "{ k\"a\" 1 json.syntax@7"), Case("{,}", "{ json.syntax@1"), Case("{1:2}", "{ json.syntax@1"),
    Case("{a:2}", "{ json.syntax@1"), Case("{\"a\":1 \"b\":2}", "{ k\"a\" 1 json.syntax@7"),
    Case("[}", "[ json.syntax@1"), Case("{]", "{ json.syntax@1"), Case("]", "json.syntax@0"),
    Case("}", "json.syntax@0"), Case(",", "json.syntax@0"), Case(":", "json.syntax@0"), Case("[:]", "[ json.syntax@1"),
    Case("[]]", "[ ] json.trailing@2"), Case("[] []", "[ ] json.trailing@3"), Case("{} 1", "{ } json.trailing@3"),
    Case("1 2", "1 json.trailing@2"), Case("1 \"a", "1 json.trailing@2"), Case("{} tru", "{ } json.trailing@3"),
    Case("[1,\n true false]", "[ 1 t json.syntax@10"), Case("[nulltrue]", "[ n json.syntax@5"),
    Case("/* */1", "json.syntax@0"), Case("//\n1", "json.syntax@0"), Case("[1;2]", "[ 1 json.syntax@2"),
    Case("[\u{A0}]", "[ json.syntax@1"), Case("[\u{B}]", "[ json.syntax@1"), Case("[\u{C}]", "[ json.syntax@1"),
  ]

  static let literals: [Case] = [
    Case("true", "t"), Case("false", "f"), Case("null", "n"), Case("[true,false,null]", "[ t f n ]"),
    Case("True", "json.syntax@0"), Case("nulL", "json.syntax@3"), Case("truefalse", "t json.trailing@4"),
    Case("nan", "json.syntax@1"), Case("NaN", "json.syntax@0"), Case("Infinity", "json.syntax@0"),
    Case("[-Infinity]", "[ json.syntax@2"), Case("undefined", "json.syntax@0"),
  ]

  static let numbers: [Case] = [
    Case("0", "0"), Case("-0", "-0"), Case("[0]", "[ 0 ]"), Case("10", "10"), Case("-1.50", "-1.50"),
    Case("1e5", "1e5"), Case("1E+05", "1E+05"), Case("1.0e-2", "1.0e-2"), Case("0.1", "0.1"), Case("0e0", "0e0"),
    Case("9007199254740993", "9007199254740993"), Case("1e999999999", "1e999999999"),
    Case(String(repeating: "9", count: 400), String(repeating: "9", count: 400)),
    Case("[1,-2 ,3\n]", "[ 1 -2 3 ]"), Case("01", "0 json.trailing@1"), Case("[01]", "[ 0 json.syntax@2"),
    Case("[-01]", "[ -0 json.syntax@3"), Case("+1", "json.syntax@0"), Case(".5", "json.syntax@0"),
    Case("[1.]", "[ json.syntax@3"), Case("[1.e5]", "[ json.syntax@3"), Case("[1e]", "[ json.syntax@3"),
    Case("[1e+]", "[ json.syntax@4"), Case("[-]", "[ json.syntax@2"), Case("[--1]", "[ json.syntax@2"),
    Case("[0x1]", "[ 0 json.syntax@2"), Case("[1_000]", "[ 1 json.syntax@2"), Case("[1.2.3]", "[ 1.2 json.syntax@4"),
    Case("[1a]", "[ 1 json.syntax@2"), Case("[１]", "[ json.syntax@1"),
  ]

  static let texts: [Case] = [
    Case("\"\"", "\"\""), Case("[\"\"]", "[ \"\" ]"), Case("\"abc\"", "\"abc\""),
    Case("\"a b\u{7F}\"", "\"a b\u{7F}\""),
    Case("\"ü€😀\"", "\"ü€😀\""), Case("\"\u{2028}\u{FFFF}\u{10FFFF}\"", "\"\u{2028}\u{FFFF}\u{10FFFF}\""),
    Case("\"[{,:]}\"", "\"[{,:]}\""), Case("[\"a\tb\"]", "[ json.syntax@3"), Case("[\"a\nb\"]", "[ json.syntax@3"),
    Case("[\"a\u{0}b\"]", "[ json.syntax@3"), Case("[\"\u{1F}\"]", "[ json.syntax@2"), Case("'a'", "json.syntax@0"),
    Case("{\"a\tb\":1}", "{ json.syntax@3"),
  ]

  static let escapes: [Case] = [
    Case(#""\"\\\/\b\f\n\r\t""#, "\"\"\\/\u{8}\u{C}\n\r\t\""), Case(#""\u0041\u00e4\u20AC""#, "\"Aä€\""),
    Case(#""a\u0000b""#, "\"a\u{0}b\""), Case(#"{"\u0061\n":"\\u0061"}"#, "{ k\"a\n\" \"\\u0061\" }"),
    Case(#"["\x"]"#, "[ json.syntax@3"), Case(#"["\'"]"#, "[ json.syntax@3"), Case(#"["\U0041"]"#, "[ json.syntax@3"),
    Case(#"["\u12g4"]"#, "[ json.syntax@6"), Case(#"["\u"]"#, "[ json.syntax@4"),
    Case(#"["\u123"]"#, "[ json.syntax@7"),
    Case("[\"\\\n\"]", "[ json.syntax@3"),
  ]

  static let surrogates: [Case] = [
    Case(#""\ud83d\ude00""#, "\"😀\""), Case(#""\uD800\uDC00\udbff\udfff""#, "\"\u{10000}\u{10FFFF}\""),
    Case(#"["\ud800"]"#, "[ \"\u{FFFD}\" ] replaced 1"), Case(#"["\udc00x"]"#, "[ \"\u{FFFD}x\" ] replaced 1"),
    Case(#"["\ude00\ud83d"]"#, "[ \"\u{FFFD}\u{FFFD}\" ] replaced 2"),
    Case(#"["\ud800\u0041"]"#, "[ \"\u{FFFD}A\" ] replaced 1"), Case(#"["\ud800\n"]"#, "[ \"\u{FFFD}\n\" ] replaced 1"),
    Case(#"["\ud800\ud83d\ude00"]"#, "[ \"\u{FFFD}😀\" ] replaced 1"), Case(#"["\\ud800"]"#, "[ \"\\ud800\" ]"),
    Case(#"{"\ud800":1}"#, "{ k\"\u{FFFD}\" 1 } replaced 1"),
    Case(#"["ab\uD83Ddc"]"#, "[ \"ab\u{FFFD}dc\" ] replaced 1"),
  ]

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }

  static let encodings: [Case] = [
    Case("\u{FEFF}[]", "[ ]"), Case("\u{FEFF}\u{FEFF}[]", "json.syntax@3"), Case("[\u{FEFF}]", "[ json.syntax@1"),
    Case("[\"\u{FEFF}\"]", "[ \"\u{FEFF}\" ]"), Case(bytes: [0xEF, 0xBB, 0x5B], "json.syntax@0"),
    Case(bytes: [0xFE, 0xFF, 0, 0x5B, 0, 0x5D], "json.other-encoding@-1"),
    Case(bytes: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "json.other-encoding@-1"),
    Case(bytes: [0, 0x5B, 0, 0x5D], "json.other-encoding@-1"),
    Case(bytes: [0x5B, 0, 0x5D, 0], "[ json.other-encoding@-1"),
    Case(bytes: [0, 0, 0, 0x5B], "json.other-encoding@-1"), Case(bytes: [0x31, 0], "1 json.other-encoding@-1"),
    Case(bytes: quoted([0x80]), "json.not-utf8@1"), Case(bytes: quoted([0xC3]), "json.not-utf8@2"),
    Case(bytes: quoted([0xC0, 0xAF]), "json.not-utf8@1"), Case(bytes: quoted([0xC1, 0xBF]), "json.not-utf8@1"),
    Case(bytes: quoted([0xE0, 0x9F, 0xBF]), "json.not-utf8@2"),
    Case(bytes: quoted([0xF0, 0x8F, 0xBF, 0xBF]), "json.not-utf8@2"),
    Case(bytes: quoted([0xED, 0xA0, 0x80]), "json.not-utf8@2"),
    Case(bytes: quoted([0xF4, 0x90, 0x80, 0x80]), "json.not-utf8@2"),
    Case(bytes: quoted([0xF5, 0x80, 0x80, 0x80]), "json.not-utf8@1"), Case(bytes: quoted([0xFF]), "json.not-utf8@1"),
    Case(bytes: quoted([0xE2, 0x82, 0x41]), "json.not-utf8@3"),
    Case(bytes: [0x5B, 0x31, 0x2C, 0xE4], "[ 1 json.syntax@3"),
    Case(bytes: quoted([0x61, 0x0A, 0xFF]), "json.syntax@2"),
  ]

  static let cut: [Case] = [
    Case("", "json.truncated@0"), Case(" \n", "json.truncated@2"), Case("\u{FEFF}", "json.truncated@3"),
    Case(bytes: [0xEF, 0xBB], "json.truncated@2"), Case("[", "[ json.truncated@1"),
    Case("[1,2", "[ 1 2 json.truncated@4"),
    Case("[1.", "[ json.truncated@3"), Case("-", "json.truncated@1"), Case("1e", "json.truncated@2"),
    Case("nul", "json.truncated@3"), Case("[tru", "[ json.truncated@4"), Case("\"abc", "json.truncated@4"),
    Case(#""a\"#, "json.truncated@3"), Case(#""a\u00"#, "json.truncated@6"), Case("{\"a", "{ json.truncated@3"),
    Case("{\"a\"", "{ k\"a\" json.truncated@4"), Case("{\"a\":", "{ k\"a\" json.truncated@5"),
    Case("{\"a\":1", "{ k\"a\" 1 json.truncated@6"), Case("[[", "[ [ json.truncated@2"),
    Case(bytes: [0x22, 0xC3], "json.truncated@2"),
  ]
}
