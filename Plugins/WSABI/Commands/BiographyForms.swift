import PluginAPI
import PluginText

/// A field of a biography: its option, its key in results, and its property.
struct BiographyField<Content: FieldValue, Given: Sendable>: Sendable {
  let option: Option<Given>
  let path: any WritableKeyPath<Biography, Content> & Sendable

  fileprivate init(_ option: Option<Given>, _ path: any WritableKeyPath<Biography, Content> & Sendable) {
    (self.option, self.path) = (option.described { $0.personal() }, path)
  }

  /// The name of the option, and of the line in a form.
  var name: String { option.parameter.name }
  var summary: String { option.parameter.summary }

  /// The option's name as a key: `first-name` is `firstName`.
  var key: String {
    let words = name.split(separator: "-")
    return words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
  }
}

/// The fields of a biography.
enum BiographyFields {
  static let texts: [BiographyField<String, String?>] = [
    text("first-name", "the first name", \.firstName), text("middle-name", "the middle name", \.middleName),
    text("last-name", "the last name", \.lastName),
    text("other-name", "a name where there is none of these", \.otherName),
    text("gender", "the gender: \(words(Biography.genders))", \.gender),
    text("hair-color", "the colour of the hair: \(words(Biography.hairColors))", \.hairColor),
    text("race", "the race: \(words(Biography.races))", \.race),
    text("eye-color", "the colour of the eyes: \(words(Biography.eyeColors))", \.eyeColor),
    text("height", "the height, with its unit", \.height), text("weight", "the weight, with its unit", \.weight),
    text("notes", "notes", \.notes),
  ]

  /// The fields that can be several.
  static let lists: [BiographyField<[String], [String]>] = [
    list("alias", "another name the person uses", \.aliases), list("date-of-birth", "as yyyy-mm-dd", \.datesOfBirth),
    list("place-of-birth", "where the person was born", \.placesOfBirth),
  ]

  private static func text(
    _ name: String, _ summary: String, _ path: any WritableKeyPath<Biography, String> & Sendable
  ) -> BiographyField<String, String?> { BiographyField(Option(name, String.self, summary), path) }

  private static func list(
    _ name: String, _ summary: String, _ path: any WritableKeyPath<Biography, [String]> & Sendable
  ) -> BiographyField<[String], [String]> { BiographyField(Option(name, list: String.self, summary), path) }

  private static func words(_ choices: [String]) -> String {
    choices.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The options of all fields, in order.
  static let options: [any CommandInput] = texts.map(\.option) + lists.map(\.option)

  /// The names and summaries of all fields, in order.
  static var all: [(name: String, summary: String)] {
    texts.map { ($0.name, $0.summary) } + lists.map { ($0.name, $0.summary) }
  }
}

extension Person: Model {
  static let typeName = WSABIValueType.person
  static let fields = Fields(declared { $0 })

  private static func declared<Root: Sendable>(_ person: @escaping @Sendable (Root) -> Person) -> () -> [Field<Root>] {
    {
      let id = [
        Field<Root>("id", { person($0).id }, "the person's number, never given twice"),
        Field<Root>("name", { person($0).biography.name }, "as it is shown"),
      ]
      let texts = BiographyFields.texts.map { field in
        Field<Root>(field.key, { person($0).biography[keyPath: field.path] }, field.summary)
      }
      let lists = BiographyFields.lists.map { field in
        Field<Root>(field.key, { person($0).biography[keyPath: field.path] }, field.summary)
      }
      let times = [
        Field<Root>("created", { person($0).created }, "when the person was added"),
        Field<Root>("modified", { person($0).modified }, "when the person was edited"),
      ]
      return id + texts + lists + times
    }
  }

  /// A person with all items.
  struct WithItems: Model {
    let person: Person
    let items: [ItemRecord]

    static let typeName = WSABIValueType.person
    static let fields = Fields<WithItems> {
      return declared(\.person)() + [Field("items", \.items, "what is captured of the person, by place")]
    }
  }
}

/// A biography that is typed or read from a file, so that it does not appear in a command's arguments.
struct BiographyForms: Sendable {
  private let call: CommandCall

  /// The options that give a biography without placing it in the arguments, which other users of the machine can see.
  static let options: [any CommandInput] = [from, ask]

  private static let from = Option(
    "from", String.self,
    "a file with lines 'NAME: VALUE', by the names of these options; '-' for standard input up to its end")
  private static let ask = Option(flag: "ask", "ask for each of them; an empty answer leaves it as it is")

  init(_ call: CommandCall) { self.call = call }

  /// The most bytes of a file: a biography is a page.
  private static let mostBytes = 1 << 20

  /// Returns the texts by the names of their options, in input order; empty if no form is named.
  ///
  /// - Throws: ``StationError/badFormLine(_:_:nearest:)``, ``StationError/formLineWithoutName(_:)``,
  ///   ``StationError/missing(_:)`` without a terminal, ``ExchangeError`` for a file that cannot be read.
  func texts() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    if let source = call[Self.from], !source.isEmpty {
      texts = try Self.parse(source == "-" ? try await typedLines() : try Self.lines(of: source))
    }
    if call[Self.ask] { texts.merge(try await answers()) { $0 + $1 } }
    return texts
  }

  /// Parses the lines of a form; blank lines and lines that begin with '#' are ignored.
  static func parse(_ lines: [String]) throws(ErrorReport) -> [String: [String]] {
    let names = BiographyFields.all.map(\.name)
    var texts: [String: [String]] = [:]
    for (index, line) in lines.enumerated() {
      let line = line.trimmed()
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // Without a colon the whole line may be personal data: no error repeats it.
      guard parts.count == 2 else { throw StationError.formLineWithoutName(index + 1) }
      let name = parts[0].trimmed().lowercased()
      guard names.contains(name) else {
        throw StationError.badFormLine(index + 1, name, nearest: Suggestion.nearest(to: name, in: names))
      }
      texts[name, default: []].append(parts[1].trimmed())
    }
    return texts
  }

  private static func lines(of path: String) throws -> [String] {
    let bytes = try FileReader.open(path) { file in
      guard file.size <= mostBytes else {
        throw ExchangeError.file(path: path, number: 0, reason: "it is larger than a form of 1 MiB")
      }
      return try file.bytes(0..<file.size)
    }
    return String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  private func typedLines() async throws -> [String] {
    var (lines, count) = ([String](), 0)
    while count <= Self.mostBytes, let line = try await call.inputLine() {
      lines.append(line)
      count += line.utf8.count + 1
    }
    return lines
  }

  private func answers() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for (name, summary) in BiographyFields.all {
      let title = name.split(separator: "-").joined(separator: " ")
      guard let answer = try await call.ask(PromptRequest("\(title) (\(summary)); empty for nothing")) else {
        throw StationError.missing(name)
      }
      if !answer.isEmpty { texts[name] = [answer] }
    }
    return texts
  }
}
