/// A request of a running command to its caller.
///
/// Whoever cannot answer a request, or does not know it, gives null.
public enum CommandRequest: Sendable, Hashable {
  /// Asks the user for a line of text; answered with the text.
  case prompt(PromptRequest)
  /// Reads the next line of standard input; answered with the text without its line end.
  case inputLine
  /// Waits until the user presses a key; answered with true.
  case key
}

extension CommandRequest: ValueConvertible {
  /// `host.command-request`.
  public static var typeName: String { "host.command-request" }

  /// Creates a request from its value form.
  public init(value: Value) throws {
    switch try value.requiredText("is") {
    case "prompt": self = .prompt(try PromptRequest(value: value["prompt"]))
    case "input-line": self = .inputLine
    case "key": self = .key
    default: throw ValueDecodingError.unexpectedShape(path: "is", expected: "a request of a command")
    }
  }

  /// The request as a record.
  public var value: Value {
    switch self {
    case .prompt(let request): ["is": "prompt", "prompt": request.value]
    case .inputLine: ["is": "input-line"]
    case .key: ["is": "key"]
    }
  }
}
