import PluginAPI

/// The screen that shows one image of an entity over the whole size.
@MainActor final class ImageController: Controller {
  nonisolated static let description = ScreenDescription(
    "image", title: "Image", summary: "shows one image over the whole screen",
    actions: [
      ScreenAction("next", "Next image", keys: ["n", "right", "space"]),
      ScreenAction("previous", "Image before", keys: ["p", "left"]),
    ])

  private static let fetching: EffectID = "image"

  private let id: String
  private let account: String
  private let count: Int
  private var index: Int
  private var picture: Picture?
  /// The text shown while there is no picture.
  private var note = ""

  init(_ request: ScreenRequest) {
    id = request.arguments["perm-id"]?.text ?? ""
    account = request.arguments["account"]?.text ?? ""
    count = max(1, request.arguments["count"]?.integer ?? 1)
    index = min(max(0, (request.arguments["number"]?.integer ?? 1) - 1), count - 1)
  }

  var title: String { count > 1 ? "Image \(index + 1) of \(count)" : "Image" }

  var view: any View { WholeImageView(picture: picture, description: title, note: note) }

  func start() -> [Effect] { [fetch()] }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "next" where index + 1 < count: index += 1
    case "previous" where index > 0: index -= 1
    default: return []
    }
    return [fetch()]
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(Self.fetching, let value): picture = value.picture
    case .finished(Self.fetching): note = picture == nil ? "there is no image" : ""
    case .failed(Self.fetching, let report): note = report.description
    case .cancelled(Self.fetching): note = "cancelled"
    default: break
    }
    return []
  }

  /// Fetches the current image, in place of the one before.
  private func fetch() -> Effect {
    picture = nil
    note = "fetching …"
    return .run(Self.fetching, command: "image", arguments: ImageArguments.of(id, account, index))
  }
}
