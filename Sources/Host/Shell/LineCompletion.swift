import Glibc
import PluginAPI

/// The completion of the word at the cursor: its change, or the words to choose from.
enum LineCompletion {
  /// A word that can stand at the cursor.
  struct Item: Equatable, Sendable {
    /// The whole word, without quotes.
    var text: String
    /// Its meaning; empty if there is none.
    var summary = ""
    /// A Boolean value indicating whether more can follow in the same word, as after a folder.
    var isOpen = false
  }

  /// The effect of completion.
  enum Outcome: Equatable, Sendable {
    /// The characters before the cursor to replace, and the text in their place.
    case replace(Int, with: String)
    /// The words to choose from.
    case list([Item])
  }

  /// Returns the words for candidates, with the files that these ask for.
  ///
  /// - Parameter word: The incomplete word, without quotes.
  static func items(_ candidates: [Completer.Candidate], for word: String) -> [Item] {
    var seen: Set<String> = []
    return candidates.flatMap { candidate in
      switch candidate {
      case .word(let text, let summary): [Item(text: text, summary: summary)]
      case .files(let extensions): files(for: word, extensions: extensions)
      case .folders: files(for: word, extensions: nil)
      }
    }.filter { item in
      item.text.hasPrefix(word) && item.text.unicodeScalars.allSatisfy { $0 != "\t" && StyledTextWriter.isHarmless($0) }
        && seen.insert(item.text).inserted
    }
  }

  /// Returns files, folders among them; hidden ones only after a dot.
  ///
  /// - Parameters:
  ///   - word: The incomplete word, which may be an option with the beginning of a path.
  ///   - extensions: The extensions of the files, all if there are none; nil for folders alone.
  private static func files(for word: String, extensions: [String]?) -> [Item] {
    let option = OptionWord(word).flatMap { option in option.value.map { (option.text + "=", $0) } }
    let (head, path) = option ?? ("", word)
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? ""
    let start = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    return HostFile.names(in: folder.isEmpty ? "." : folder).sorted().compactMap { name -> Item? in
      guard name.hasPrefix(start), start.hasPrefix(".") || !name.hasPrefix("."), !name.contains("\u{FFFD}") else {
        return nil
      }
      var status = stat()
      guard stat(folder + name, &status) == 0 else { return nil }
      if status.st_mode & S_IFMT == S_IFDIR { return Item(text: head + folder + name + "/", isOpen: true) }
      guard let extensions else { return nil }
      let lowercased = name.lowercased()
      let fits = extensions.isEmpty || extensions.contains { lowercased.hasSuffix("." + $0.lowercased()) }
      return fits ? Item(text: head + folder + name) : nil
    }
  }

  /// Returns the effect of completing a word.
  ///
  /// - Parameters:
  ///   - word: The word at the cursor.
  ///   - items: The words that can stand there, which begin with it.
  ///   - isQuoted: True to quote the inserted text by the rules of the script language; false for variables.
  /// - Returns: nil if nothing can stand there.
  static func outcome(of word: LineWords.Word, _ items: [Item], isQuoted: Bool = true) -> Outcome? {
    guard let first = items.first else { return nil }
    if items.count == 1 {
      let whole = isQuoted && !first.isOpen ? ScriptQuoting.quoted(first.text) : begun(first.text, word, isQuoted)
      return .replace(word.typedCount, with: whole + (first.isOpen ? "" : " "))
    }
    let common = items.dropFirst().reduce(Array(first.text.unicodeScalars)) { common, item in
      zip(common, item.text.unicodeScalars).prefix { $0 == $1 }.map(\.0)
    }
    if common.count <= word.text.unicodeScalars.count { return .list(items) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: common)
    return .replace(word.typedCount, with: begun(String(text), word, isQuoted))
  }

  /// Returns the beginning of a word as it is typed, with the quote that is open.
  private static func begun(_ text: String, _ word: LineWords.Word, _ isQuoted: Bool) -> String {
    if !isQuoted { return text }
    return switch word.quote {
    case "'": "'" + ScriptQuoting.singleQuoted(text)
    case "\"": "\"" + ScriptQuoting.escaped(text)
    // The rule of which characters need quotes is that of whole words.
    default: escaped(text) { ScriptQuoting.quoted(String($0)) != String($0) }
    }
  }

  private static func escaped(_ text: String, _ needsIt: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if needsIt(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}

extension LineCompletion {
  /// The rows of a terminal that a listing leaves for the line.
  private static let reservedRows = 3
  private static let widestWord = 40

  /// Returns a listing of words with their meanings, or in columns, at most a screen of it.
  static func listing(_ items: [Item], in size: Size) -> String {
    let rows = max(1, size.height - reservedRows)
    let texts = items.map { StyledTextWriter.harmless($0.text) }
    let widest = min(texts.map { TextWidth.columns($0) }.max() ?? 0, max(1, size.width - 1))
    let lines: [String]
    var perLine = 1
    if items.contains(where: { !$0.summary.isEmpty }) {
      let width = min(widest, widestWord)
      lines = items.indices.map { index in
        let line = TextWidth.padded(texts[index], to: width) + "  " + StyledTextWriter.harmless(items[index].summary)
        return TextWidth.truncated(line, to: max(1, size.width - 1))
      }
    } else {
      perLine = max(1, (size.width - 1) / (widest + 2))
      lines = stride(from: 0, to: texts.count, by: perLine).map { start in
        let row = texts[start..<min(start + perLine, texts.count)]
        return row.map { TextWidth.padded(TextWidth.truncated($0, to: widest), to: widest + 2) }.joined()
      }
    }
    if lines.count <= rows { return lines.map { $0 + "\n" }.joined() }
    let shown = lines.prefix(max(0, rows - 1))
    return shown.map { $0 + "\n" }.joined() + "… and \(items.count - shown.count * perLine) more\n"
  }
}
