/// All of a snapshot as it was told, before anybody looked whether what it names is there.
///
/// Each list is in the order of its document.
struct DatabaseRecords: Sendable, Hashable {
  /// Which state of the database it is, in the words of whoever made it.
  var snapshot = ""
  var tissues: [Tissue] = []
  var compartments: [Compartment] = []
  var metabolites: [Metabolite] = []
  var pools: [MetabolitePool] = []
  var processes: [MetabolicProcess] = []
  var pathways: [MetabolicPathway] = []
  /// Told apart from the pathways themselves; linking brings them together.
  var activations: [PathwayActivation] = []
  var ranges: [BiofluidRange] = []
  var layouts: [FrozenLayout] = []
}
