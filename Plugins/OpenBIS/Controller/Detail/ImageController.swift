import PluginAPI

/// The screen that shows one image of an entity over the whole size.
@MainActor final class ImageController: Controller {
  static let fetching = "image"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("next", "Next image", keys: ["n", "right", "space"]),
    ScreenAction("previous", "Image before", keys: ["p", "left"]),
  ]

  private let id: String
  private let account: String
  private let count: Int
  private var index: Int
  private var picture: Picture?
  private var note = ""
  private var hasStarted = false
  private var generation = 0

  init(_ request: ScreenRequest) {
    id = request.arguments["perm-id"]?.text ?? ""
    account = request.arguments["account"]?.text ?? ""
    count = max(1, request.arguments["count"]?.integer ?? 1)
    index = min(max(0, (request.arguments["number"]?.integer ?? 1) - 1), count - 1)
  }

  var title: String { count > 1 ? "Image \(index + 1) of \(count)" : "Image" }

  var view: any View { WholeImageView(picture: picture, description: title, note: note) }

  func handle(_ event: Event) -> [Effect]? {
    guard case .resize = event else { return nil }
    if hasStarted { return [] }
    hasStarted = true
    return fetch()
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "next" where index + 1 < count: index += 1
    case "previous" where index > 0: index -= 1
    default: return []
    }
    return fetch()
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(current, let value): picture = value.picture
    case .finished(current, _): note = picture == nil ? "there is no image" : ""
    case .failed(current, let report): note = report.description
    case .cancelled(current): note = "cancelled"
    default: break
    }
    return []
  }

  private var current: EffectID { EffectID(Self.fetching, generation: generation) }

  private func fetch() -> [Effect] {
    let before = current
    generation += 1
    picture = nil
    note = "fetching …"
    return [.cancel(before), .run(current, command: "image", arguments: ImageArguments.of(id, account, index))]
  }
}
