import Testing

/// The declared shapes of results, as programs that call commands get them.
@Suite(.timeLimit(.minutes(5)))
struct CommandSchemaTests {
  /// The commands without a shape, with the reason.
  private let reasons = [
    "config.get": "a setting's value, of any type", "config.set": "a setting's value, of any type",
    "config.unset": "a setting's value, of any type", "help": "text, or what its topic has",
    "store.export": "the tables of a plugin's store", "store.rebuild": "the result of a plugin's command",
    "openbis.export": "JSON, CSV or HTML, or a record with '--output'",
    "openbis.mapping-show": "a mapping, whose names are those of a file",
    "openbis.preview": "an image, a table or text, as the file is",
    "pathcase.draw": "a picture as text, or a record with '--output'",
    "pathcase.export": "a file as text, or a record with '--output'",
  ]

  @Test func `each command declares the shape of its result, or is listed here with the reason`() throws {
    let server = try ServedProgram("serve", "--stdio")
    let commands = (try server.call("commands")["result"] as? [[String: Any]] ?? []).compactMap {
      $0["method"] as? String
    }
    #expect(commands.count > 200)
    var shapeless: [String] = []
    for command in commands {
      let answer = try server.call("schema", #"{"command":"\#(command)"}"#)["result"] as? [String: Any]
      let result = try #require(answer?["result"] as? [String: Any], "\(command)")
      let elements = result["items"] as? [String: Any]
      if Set(result.keys).subtracting(["$schema", "title", "description"]).isEmpty || elements?.isEmpty == true {
        shapeless.append(command)
      }
    }
    #expect(shapeless.sorted() == reasons.keys.sorted())
    #expect(try server.end().status == 0)
  }
}
