/// The sizes of a cartoon in ångström, as half widths and half heights, and its level of detail.
struct CartoonStyle: Equatable, Sendable {
  var tubeRadius: Float = 0.3
  var helixWidth: Float = 1.3
  var helixHeight: Float = 0.27
  var strandWidth: Float = 1.1
  var strandHeight: Float = 0.32
  /// The half width of an arrow at its widest.
  var arrowWidth: Float = 1.95
  /// The length of an arrow in residues.
  var arrowLength: Float = 1.6
  var nucleicWidth: Float = 1.15
  var nucleicHeight: Float = 0.34
  /// The radius of the stick between backbone and base.
  var baseStickRadius: Float = 0.26
  /// The half thickness of a base, and how far it extends beyond the centers of its atoms.
  var baseHeight: Float = 0.34
  var baseMargin: Float = 0.45
  /// The number of cuts per residue.
  var cuts = 8
  /// The number of corners of a round profile.
  var corners = 16

  init() {}

  /// Returns the style whose mesh is drawn fast enough for that many residues: coarser for more residues.
  static func suited(toResidues count: Int) -> CartoonStyle {
    var style = CartoonStyle()
    if count > 8000 {
      (style.cuts, style.corners) = (3, 6)
    } else if count > 2500 {
      (style.cuts, style.corners) = (4, 8)
    } else if count > 800 {
      (style.cuts, style.corners) = (6, 12)
    }
    return style
  }
}
