package io.tidemark.it.client;

import io.grpc.Status;

/** How one call ended: with an answer, or with a status. */
public sealed interface Attempt<T> {
  /** The answer. */
  record Answered<T>(T response) implements Attempt<T> {
    @Override
    public <R> R on(Cases<T, R> cases) {
      return cases.answered(response);
    }
  }

  /** The status instead of an answer. */
  record Refused<T>(Status status) implements Attempt<T> {
    @Override
    public <R> R on(Cases<T, R> cases) {
      return cases.refused(status);
    }
  }

  <R> R on(Cases<T, R> cases);

  /** One method per kind of end. */
  interface Cases<T, R> {
    R answered(T response);

    R refused(Status status);
  }

  /** The answer, or an assertion error that shows the status. */
  default T answer() {
    return on(
        new Cases<>() {
          @Override
          public T answered(T response) {
            return response;
          }

          @Override
          public T refused(Status status) {
            throw new AssertionError("refused: " + status);
          }
        });
  }

  /** Whether there was an answer. */
  default boolean answered() {
    return on(
        new Cases<>() {
          @Override
          public Boolean answered(T response) {
            return true;
          }

          @Override
          public Boolean refused(Status status) {
            return false;
          }
        });
  }

  /** {@code CODE text} of the status, or {@code OK} and the answer. */
  default String outcome() {
    return on(
        new Cases<>() {
          @Override
          public String answered(T response) {
            return "OK " + response;
          }

          @Override
          public String refused(Status status) {
            return status.getCode() + " " + status.getDescription();
          }
        });
  }
}
