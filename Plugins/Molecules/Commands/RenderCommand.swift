import PluginAPI

/// The command that draws a molecule.
enum RenderCommand {
  static let command = MoleculeCommand(
    CommandDescription("render", "draws a molecule of the library or a file", output: .init(.picture))
      .taking([MoleculeCommand.molecule], options: options)
      .explained(
        """
        Without a rotation the longest axis of the molecule lies across the picture. Rotations are about the axes of \
        the picture: x to the right, y up, z towards the viewer, in this order.
        """,
        examples: [
          .init("render 1bna", "draws it in the terminal"),
          .init("render 4hhb.pdb.gz --mode spacefilling --color chain --output 4hhb.png", "writes a PNG file"),
          .init("render 4hhb.cif --select 'byres within 5 of resn HEM'", "a part of it"),
          .init("render caffeine --rotate 0,90,0 --zoom 1.5", "from the side, larger"),
        ]), draw)

  private static let options: [Parameter] =
    [
      Parameter(
        "mode", .choice(RenderMode.allCases.map(\.name)),
        "how it is drawn; ball-and-stick for fewer than 600 atoms with bonds, else spacefilling, unless it is given"),
      Parameter(
        "color", .choice(ColorScheme.allCases.map(\.rawValue)),
        "what the colours tell; residues for cylinders, else elements, unless it is given"),
      Parameter(
        "rotate", .numbers(count: 3), "turns about x, y and z in degrees, in this order", unit: "degree",
        defaultValue: [0, 0, 0]),
      Parameter("zoom", .number(minimum: 0.02, maximum: 200), "enlargement; 1 shows all of it", defaultValue: 1),
      MoleculeCommand.model,
      Parameter(
        "background", .choice(StillPicture.Background.allCases.map(\.rawValue)),
        "what lies behind it; none lets the terminal or page show through",
        defaultValue: .text(StillPicture.Background.none.rawValue)),
    ] + SelectionOptions.all

  /// The size in pixels of a picture that nobody asked a size for.
  private static let standardSize = Size(width: 1280, height: 960)
  /// Pictures have at most so many pixels on a side.
  private static let largestSide = 16_384

  @Sendable private static func draw(_ call: CommandCall) async throws {
    let selection = try SelectionOptions.selection(call)
    let model = try MoleculeCommand.modelIndex(call)
    let library = try MoleculeLibrary(call)
    let molecule = try await library.molecule(call.text("molecule"), bonds: model == 0 ? .firstModel : .allModels)
    try MoleculeCommand.check(model, in: molecule)
    let angles = (call["rotate"].list ?? []).map { Float($0.number ?? 0) }
    var picture = StillPicture(size: call.presentation.pictureSize ?? standardSize)
    picture.size.width = min(picture.size.width, largestSide)
    picture.size.height = min(picture.size.height, largestSide)
    picture.mode = RenderMode(name: call.text("mode"))
    picture.scheme = ColorScheme(rawValue: call.text("color"))
    picture.rotation = angles.count == 3 ? SIMD3(angles[0], angles[1], angles[2]) : .zero
    picture.zoom = Float(call["zoom"].number ?? 1)
    picture.background = StillPicture.Background(rawValue: call.text("background")) ?? .none
    picture.selection = try await SelectionOptions.atoms(selection, of: molecule.structure, model: model, library)
    let wanted = picture
    let drawn = try await library.computed("drawing") { progress in
      let drawn = wanted.draw(molecule, model: model) { share in
        progress.report(Progress("drawing", fraction: share))
        return !progress.isCancelled
      }
      guard let drawn else { throw CancellationError() }
      return drawn
    }
    try await call.emit(.picture(drawn))
  }
}
