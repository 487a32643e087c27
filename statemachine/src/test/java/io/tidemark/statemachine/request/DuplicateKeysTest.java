package io.tidemark.statemachine.request;

import static io.tidemark.statemachine.testing.Requests.OPEN;
import static io.tidemark.statemachine.testing.Requests.delete;
import static io.tidemark.statemachine.testing.Requests.op;
import static io.tidemark.statemachine.testing.Requests.put;
import static io.tidemark.statemachine.testing.Requests.range;
import static io.tidemark.statemachine.testing.Requests.txn;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.api.etcdserverpb.RequestOp;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DuplicateKeysTest {
  private static final RequestOp PUT = op(put("k", "v"));
  private static final RequestOp DELETE = op(delete("k"));

  private static void clash(RequestOp... operations) {
    assertTrue(DuplicateKeys.foundIn(txn(operations)));
    assertTrue(DuplicateKeys.foundIn(txn(List.of(), List.of(), List.of(operations))));
  }

  private static void pass(RequestOp... operations) {
    assertFalse(DuplicateKeys.foundIn(txn(operations)));
    assertFalse(DuplicateKeys.foundIn(txn(List.of(), List.of(), List.of(operations))));
  }

  @Test
  void oneLevel() {
    clash(PUT, PUT);
    clash(PUT, DELETE);
    clash(DELETE, PUT);
    clash(op(delete("a", "z")), PUT);
    clash(op(delete("k", "k\0")), PUT);
    clash(op(delete("a", "c")), op(delete("b", "l")), PUT);
    pass(op(delete("l", "z")), PUT);
    pass(op(delete("a", "k")), PUT);
    pass(op(delete("z", "a")), PUT);
    pass(PUT, op(put("l", "v")));
    pass(DELETE, DELETE, op(delete("a", "z")), op(delete("a", "z")));
    pass(PUT, op(range("k")), op(range("a", "z")));
  }

  @Test
  void branchesOfTheWholeTransactionAreApart() {
    assertFalse(DuplicateKeys.foundIn(txn(List.of(), List.of(PUT), List.of(PUT))));
    assertFalse(DuplicateKeys.foundIn(txn(List.of(), List.of(PUT), List.of(DELETE))));
  }

  @Test
  void deletesWithoutEndAreNotSeen() {
    pass(op(delete("k", OPEN)), PUT);
    pass(PUT, op(delete("a", OPEN)));
    pass(op(delete("\0", OPEN)), op(txn(PUT)));
  }

  @Test
  void nestedPutsMeetEveryPutAndDeleteOfTheirParents() {
    clash(PUT, op(txn(PUT)));
    clash(op(txn(PUT)), PUT);
    clash(op(txn(PUT)), DELETE);
    clash(DELETE, op(txn(PUT)));
    clash(op(txn(op(txn(PUT)))), DELETE);
    clash(op(txn(List.of(), List.of(), List.of(PUT))), op(delete("a", "z")));
    pass(op(delete("a", "b")), op(txn(PUT)));
  }

  @Test
  void putsMeetNestedDeletes() {
    clash(PUT, op(txn(DELETE)));
    clash(op(txn(DELETE)), PUT);
    clash(op(txn(op(txn(List.of(), List.of(), List.of(DELETE))))), PUT);
  }

  @Test
  void siblingsMeetInOneDirectionOnly() {
    clash(op(txn(PUT)), op(txn(PUT)));
    clash(op(txn(DELETE)), op(txn(PUT)));
    pass(op(txn(PUT)), op(txn(DELETE)));
  }

  @Test
  void branchesOfOneNestedTransactionExcludeEachOther() {
    pass(op(txn(List.of(), List.of(PUT), List.of(PUT))));
    pass(op(txn(List.of(), List.of(DELETE), List.of(PUT))));
    pass(op(txn(List.of(), List.of(PUT), List.of(DELETE))));
    clash(op(txn(List.of(), List.of(PUT), List.of(PUT))), PUT);
    clash(op(txn(List.of(), List.of(PUT), List.of(PUT))), op(txn(PUT)));
    clash(op(txn(List.of(), List.of(PUT, PUT), List.of())));
  }
}
