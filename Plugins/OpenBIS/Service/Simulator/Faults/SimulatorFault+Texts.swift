import PluginText

extension SimulatorFault {
  /// Two hundred texts that would harm a terminal that printed them unchanged.
  static let hostileTexts: [String] = {
    let escapes = [
      "\u{1B}[31mred", "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{07}", "\u{1B}]52;c;aGk=\u{07}",
      "\u{1B}]8;;http://x.test\u{1B}\\link",
      "\u{1B}P1$r\u{1B}\\", "\u{1B}_Gf=24;AAAA\u{1B}\\", "\u{1B}[?1049h", "\u{1B}c", "\u{1B}[6n", "\u{1B}[>c",
      "\u{9B}31m",
      "\u{9D}0;title\u{9C}", "\u{90}q\u{9C}", "\u{1B}[?25l", "\u{1B}[999B", "\u{1B}#8", "\u{1B}(0lqk", "\u{1B}[8m",
      "\u{1B}%G",
    ]
    let marks = [
      "\u{202E}gnp.elif", "\u{2066}a\u{2069}", "\u{200F}", "\u{200B}zero", "\u{FEFF}mark", "\u{2028}line",
      "\u{2029}paragraph",
      "e\u{301}\u{302}\u{303}\u{304}", "\u{0}nul", "a\u{0}b", "\u{7}bell", "\u{8}\u{8}\u{8}back", "\rover",
      "\n\n\nlines", "\ttab",
      "\u{7F}del", "\u{85}next", "👩‍👩‍👧‍👦", "\u{1F1E8}\u{1F1ED}", "ﷺ",
    ]
    let others = [
      "<script>alert(1)</script>", "=1+1", "@SUM(1)", "'; DROP TABLE entities;--", "\" OR 1=1", "%s%n%d",
      "../../etc/passwd",
      "$(id)", "`id`", "{{7*7}}", "\\u001b[31m", "&#27;[31m", "NaN", "null", "[]", "{}", "-", " ", "\u{3000}", "𝕒𝕓𝕔",
    ]
    let base = escapes + marks + others
    let long = String(repeating: "very long ", count: 400)
    let around = base.map { "before" + $0 + "after" }
    let doubled = base.prefix(59).map { $0 + $0 }
    let lengths = (1...20).map { String(repeating: "\u{1B}[\($0)m", count: $0) }
    return Array((base + around + doubled + [long] + lengths).prefix(200))
  }()

  /// Returns a hostile text in the format of a column.
  static func hostile(_ column: String, _ row: Int, _ usual: String) -> String {
    let text = hostileTexts[(row * 7 + column.utf8.count) % hostileTexts.count]
    let quoted = text.asSimulatedJSON
    return switch column {
    case "REFCON": #"{"code":\#(quoted)}"#
    case "CHILDREN": usual == "[]" ? "[\(quoted)]" : usual
    case "PROPERTIES": #"[{"key":\#(quoted),"label":\#(quoted),"value":\#(quoted)}]"#
    case "IMAGES": #"{"MARQUEE":{"URL":\#(quoted)}}"#
    case "ROOT_LEVEL": usual
    default: text
    }
  }

  /// Returns the cells of IMAGES for a fault of pictures.
  func imageCells(_ view: SimulatedView) -> [String] {
    func address(_ text: String) -> String { #"{"MARQUEE":{"URL":\#(text.asSimulatedJSON)}}"# }
    func data(_ base64: String, _ format: String) -> String {
      #"{"MARQUEE":{"DATA":{"BASE64":\#(base64.asSimulatedJSON),"FORMAT":"\#(format)"}}}"#
    }
    switch self {
    case .badImages:
      return [
        #"{"MARQUEE":{"URL":null}}"#, address(""), address("images/molecule/1.png"), address("/images/molecule/2.png"),
        address("ftp://127.0.0.1/x.png"), address("data:image/png;base64,AAAA"),
        address(view.base + "/images/missing.png"),
        address(view.base + "/images/page"), address(view.base + "/images/huge.png"),
        address(view.base + "/images/slow.png"),
        "{", "[]", #"{"MARQUEE":[]}"#,
      ]
    case .badBase64:
      let picture = Base64.text(SimulatedPictures.png(7, side: 24))
      let photograph = Base64.text(SimulatedPictures.jpeg(7))
      let spaced = picture.prefix(40) + "\n " + picture.dropFirst(40)
      let safe = String(picture.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
      return [
        data("!!!no base64!!!", "PNG"), data(photograph, "PNG"), data(String(spaced), "PNG"), data(safe, "PNG"),
        data("", "PNG"), data(Base64.text(Array("no picture".utf8)), "PNG"),
      ]
    case .manyTiles:
      let tiles = (0..<200).map { #"{"URL":\#((view.base + "/images/molecule/\($0 % 150).png").asSimulatedJSON)}"# }
      return [
        #"{"MARQUEE":{"URL":\#((view.base + "/images/molecule/0.png").asSimulatedJSON)},"TILED":["#
          + tiles.joined(separator: ",") + "]}"
      ]
    default:
      return [
        address(view.base + "/datastore_server/DSS1/original/images/1.jpg?mode=small"),
        address("http://datastore_server.example.org/datastore_server/x.jpg"),
        address(view.base + "/datastore_server/DSS1/original/images/2.jpg?sessionID=other#part"),
      ]
    }
  }
}
