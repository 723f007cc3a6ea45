import PluginText

/// Texts that try to control a terminal, a spreadsheet or a browser, or to hide and reorder visible text.
enum HostileTexts {
  /// The texts, at least 200 and all different.
  static let all: [String] = controls + directions + sequences + pages + formulas + forgeries

  /// Every control character within a word.
  private static let controls: [String] = (Array(0..<0x20) + Array(0x7F..<0xA0)).compactMap { value in
    Unicode.Scalar(UInt32(value)).map { "be" + String(Character($0)) + "low" }
  }

  private static let directions: [String] =
    [
      0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x206A, 0x206F,
      0x2028, 0x2029, 0xFEFF, 0xFFF9, 0xFFFB, 0xE0001, 0xE0041, 0xE007F,
    ].compactMap { Unicode.Scalar(UInt32($0)).map { "user\(Character($0))txt.exe" } } + [
      "\u{202E}evil\u{202C} good", "a\u{202E}\u{2066}b\u{2069}\u{202C}",
      "e" + String(repeating: "\u{301}", count: 5000),
      "\u{200B}" + String(repeating: "\u{20DD}", count: 300), String(repeating: "\u{202E}", count: 999),
    ]

  private static let sequences: [String] = {
    let bodies = [
      "[31mred", "[2J", "[3J", "[H", "[1;1H", "[?1049h", "[?1049l", "[?25l", "[?1000h", "[?1006h", "[?2004h", "[6n",
      "[c", "[>c", "[5n", "[21t", "[8;1;1t", "[0;0r", "[?5h", "[4h", "[1A", "[999B", "[999D", "[2K", "[0J", "[10S",
      "[10T",
      "[1;31;5;7m", "[38;2;1;2;3m", "[!p", "[?7l", "[20h", "[u", "[s", "c", "7", "8", "D", "E", "M", "Z", "=", ">",
      "(0",
      ")0", "#8", "%G", "%@", "n", "o", "|", "}", "~", " F", " G", "N", "O", "V", "W", "X hidden", "^ private",
      "_ application",
      "]0;owned\u{7}", "]2;owned\u{1B}\\", "]52;c;cm0gLXJm\u{7}", "]8;;http://evil/\u{1B}\\click\u{1B}]8;;\u{1B}\\",
      "]4;1;rgb:ff/ff/ff\u{7}", "]10;?\u{7}", "]11;#000000\u{7}", "]50;font\u{7}", "]104\u{7}", "]133;A\u{7}",
      "]1337;File=inline=1:AAAA\u{7}", "]777;notify;a;b\u{7}", "]9;hello\u{7}", "Pq#0;2;0;0;0~\u{1B}\\", "P$qm\u{1B}\\",
      "P+q544e\u{1B}\\", "PtmuxX\u{1B}\\", "_Gf=32,s=1,v=1;AAAA\u{1B}\\", "[200~pasted\r\u{1B}[201~",
    ]
    return bodies.map { "a\u{1B}" + $0 } + ["[31m", "2J", "]52;c;cm0=\u{9C}", "0;t\u{9C}"].map { "b\u{9B}" + $0 }
      + ["\u{9D}0;title\u{9C}", "\u{90}q~\u{9C}", "\u{1B}\u{1B}[31m", "\u{1B}", "x\u{1B}", "\u{9B}"]
  }()

  private static let pages: [String] = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>",
    "<a href='javascript:x'>y</a>",
    "\"><script>alert(1)</script>", "'><img src=http://evil/>", "</pre></td></table><script>x</script>", "<!--", "]]>",
    "<iframe src=//evil>", "<style>*{display:none}</style>", "<base href=//evil/>",
    "<meta http-equiv=refresh content=0>",
    "&lt;script&gt;x&lt;/script&gt;", "<p>&#27;[31mred</p>", "<p>&#x9b;2J</p>", "<p>&#x202e;txt</p>",
    "<p>&#0;&#13;</p>",
    "<table><tr><td>\u{1B}[2J</td></tr></table>", "</title><script>x</script>", "<html><br>\u{9B}31m</html>",
  ]

  private static let formulas: [String] = [
    "=1+1", "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", " =1+1", "=HYPERLINK(\"http://evil\")", "＝1+1",
    "\r=1+1", "\n=1+1", "a;=1+1", "a,=1+1", "\"=1+1\"", "a\",\"=1+1", "-2+3+cmd|' /C calc'!A0", "\u{FEFF}=1+1",
    "\u{A0}=1",
  ]

  private static let forgeries: [String] = [
    "one\r\ntwo", "one\rtwo", "one\ntwo", "100%\r50%", "a\u{8}\u{8}\u{8}b", "\u{0}after", "a\u{0}b",
    "quote\"and\\slash",
    "{\"a\":1}", "\\u001b[31m", "a\u{B}b\u{C}c", "\u{85}next", String(repeating: "A", count: 100_000), "", " ",
    "👨‍👩‍👧‍👦 e\u{301} क्षि",
  ]
}

/// The parts of a text that may do harm where it is shown.
enum Harm {
  /// Returns the scalars of a text that are control characters other than those allowed, or change the writing
  /// direction.
  static func found(in text: String, allowing allowed: Set<Unicode.Scalar> = []) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      !allowed.contains(scalar) && !SanitizedText.isSafe(scalar)
    }
  }
}
