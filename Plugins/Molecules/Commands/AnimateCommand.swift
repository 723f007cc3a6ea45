import PluginAPI

/// The command that draws a rotating molecule.
enum AnimateCommand {
  static let command = CommandPart(
    CommandDescription(
      "animate", "draws a molecule turning, picture by picture", output: .init(.picture, isStream: true)
    )
    .taking(MoleculeInputs.molecule, frames, spin).takingPictureOptions()
    .explained(
      """
      With an output file the pictures become one animated PNG, 25 to the second and played for ever; programs that \
      know no animated PNG show the first.
      """,
      examples: [
        .init("animate b-dna --mode cartoon --output b-dna.png", "once around in 36 pictures"),
        .init("animate 1crn --frames 90 --spin 360 --size 320x240 --output 1crn.png", "smaller and slower"),
      ]
    ).findable(by: ["movie", "video", "apng", "turntable"]), draw)

  private static let frames = Option("frames", in: 1...1000, "how many pictures", default: 36)
  private static let spin = Option(
    "spin", in: -36_000...36_000,
    "how far it turns about the vertical axis from the first picture to where the first would come again",
    unit: "degree", default: 360.0)

  /// The default size of pictures in pixels.
  private static let standardSize = Size(width: 640, height: 480)

  @Sendable private static func draw(_ call: CommandCall) async throws {
    let (frames, spin) = (call[frames], Float(call[spin]))
    let (picture, molecule, model) = try await RenderCommand.drawing(call, size: standardSize, frames: frames)
    let library = try MoleculeLibrary(call)
    let scene = try await library.computed("drawing") { progress in
      guard let scene = picture.scene(of: molecule, progress: { _ in !progress.isCancelled }) else {
        throw CancellationError()
      }
      return scene
    }
    let labels = picture.labels(of: molecule, model: model)
    RenderCommand.tell(picture, molecule, model: model, call)
    for frame in 0..<frames {
      var turned = picture
      turned.spin = spin * Float(frame) / Float(frames)
      let wanted = turned
      let drawn = try await library.computed("drawing") { progress in
        guard let drawn = wanted.draw(scene, labels: labels, progress: { _ in !progress.isCancelled }) else {
          throw CancellationError()
        }
        return drawn
      }
      call.report(Progress("drawing", fraction: Double(frame + 1) / Double(frames)))
      try await call.emit(.picture(drawn))
    }
  }
}
