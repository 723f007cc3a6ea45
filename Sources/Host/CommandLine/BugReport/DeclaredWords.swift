import PluginAPI

/// The words in the declarations of the program and its plugins; all other words are removed from free text.
///
/// Lines of the log and findings of checks may contain names, paths, addresses and secrets, in any form. No pattern
/// finds them all, so the filter works the other way: a word is kept only if the program itself declares it.
struct DeclaredWords: Sendable {
  /// The mark for omitted text.
  static let ellipsis = "…"

  /// Names with capitals, dots or digits, such as plugin ids, codes and libraries.
  private let names: Set<String>
  /// Lower-case words.
  private let words: Set<String>

  /// Collects words.
  ///
  /// - Parameters:
  ///   - texts: Declared texts, such as summaries. Text in quotes is an example and is ignored.
  ///   - names: Words that are kept as they are.
  ///   - secrets: Texts whose words are always removed, even if declared: values of variables, the user's name.
  init(texts: [String], names: [String], secrets: [String]) {
    var words = Set(Self.messageWords.split(whereSeparator: \.isWhitespace).map(String.init))
    for text in texts {
      let first = text.prefix(1).lowercased() + text.dropFirst()
      for token in Self.withoutQuotations(first, keeping: []).split(whereSeparator: \.isWhitespace) {
        let core = Self.core(of: String(token))
        if core.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D }) { words.insert(core) }
      }
    }
    let hidden = Set(
      secrets.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.map { $0.lowercased() }.filter { $0.count > 1 })
    self.words = words.filter { word in
      !word.isEmpty && !word.split(separator: "-").contains { hidden.contains(String($0)) }
    }
    self.names = Set(names).filter { !hidden.contains($0.lowercased()) }
  }

  /// Returns a text with an ellipsis for everything that is not a declared word, a sign or a small number.
  func filtered(_ text: String) -> String {
    let tokens = Self.withoutQuotations(text, keeping: names).split(whereSeparator: \.isWhitespace).map(String.init)
    var shown: [String] = []
    for (index, token) in tokens.enumerated() {
      let isLone = !Self.hasDigit(tokens, index - 1) && !Self.hasDigit(tokens, index + 1)
      let text = isDeclared(token) || isLone && Self.isSmallNumber(token) ? token : Self.ellipsis
      if text != Self.ellipsis || shown.last != Self.ellipsis { shown.append(text) }
    }
    return shown.joined(separator: " ")
  }

  private func isDeclared(_ token: String) -> Bool {
    let core = Self.core(of: token)
    return core.isEmpty ? token.count <= 5 : words.contains(core) || names.contains(core)
  }

  /// Returns true for numbers such as a line or a status, but not for dates, times and telephone numbers.
  private static func isSmallNumber(_ token: String) -> Bool {
    let core = core(of: token)
    return core.utf8.count <= 3 && core.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func hasDigit(_ tokens: [String], _ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].contains(where: \.isNumber)
  }

  /// Returns a word without the punctuation around it.
  private static func core(of token: String) -> String {
    let signs: Set<Character> = [
      "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", ":", ".", "!", "?", "'", "\"", "`", "…", "-", "–", "=", "+",
    ]
    var remaining = Substring(token)
    while let first = remaining.first, signs.contains(first) { remaining.removeFirst() }
    while let last = remaining.last, signs.contains(last) { remaining.removeLast() }
    return String(remaining)
  }

  /// Returns a text with an ellipsis for the text in quotes, which messages take from users, files and servers.
  private static func withoutQuotations(_ text: String, keeping names: Set<String>) -> String {
    let characters = Array(text)
    func isWord(_ index: Int) -> Bool {
      characters.indices.contains(index) && (characters[index].isLetter || characters[index].isNumber)
    }
    var result = ""
    var index = 0
    while index < characters.count {
      let mark = characters[index]
      guard "'\"`".contains(mark), !isWord(index - 1) else {
        result.append(mark)
        index += 1
        continue
      }
      guard let end = (index + 1..<characters.count).first(where: { characters[$0] == mark && !isWord($0 + 1) }) else {
        return result + ellipsis
      }
      let quoted = String(characters[index + 1..<end])
      result += names.contains(quoted) ? "\(mark)\(quoted)\(mark)" : "\(mark)\(ellipsis)\(mark)"
      index = end + 1
    }
    return result
  }

  /// Common words of messages, which the declarations may lack.
  private static let messageWords = """
    a about access after again all already an and any are as at be because been before but by cannot certificate
    change changed check checked closed command connection could crashed damaged data database denied did directory does
    due during empty end ended error errors exist exists failed failure file files first folder for found from has have
    host in input interrupted into is it its keys last limit line locale locked memory missing more must name needs
    network no none not note of on one only open opened or other others out output own path permission plugin plugins
    process read reading ready record response row rows server set settings signal size so start started state stopped store
    stores such terminal than that the their them then there this timed time to too unknown unreachable until use used
    user users version waiting warning was were when which while with without writable write writing wrong
    """
}
